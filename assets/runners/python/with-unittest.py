"""Runs a stage with unittest."""

import os
import sys
import unittest


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def file_of(test):
    module = sys.modules.get(type(test).__module__)
    path = getattr(module, "__file__", None)
    return (own_path(path) or "") if path else ""


def place_of(test, options):
    """The id and file of a case; for a module that does not load, both are its file."""
    if type(test).__name__ in ("_FailedTest", "ModuleImportFailure"):
        name = test._testMethodName.replace(".", "/") + ".py"
        path = os.path.normpath(os.path.join(options.get("start", "."), name))
        path = path if os.path.exists(path) else name
        return path, path
    file = file_of(test)
    # a class that several modules hold belongs to the module that defines it
    return f"{file} > {type(test).__qualname__} > {test._testMethodName}"[:500], file


class CaseResult(unittest.TestResult):
    def __init__(self, reporter, options):
        super().__init__()
        self.reporter = reporter
        self.options = options
        self.failure = None
        self.status = None

    def startTest(self, test):
        super().startTest(test)
        self.failure, self.status = None, "passed"
        self.reporter.begin(*place_of(test, self.options))

    def stopTest(self, test):
        super().stopTest(test)
        id, file = place_of(test, self.options)
        self.reporter.end(id, file, self.status, self.failure)

    def _fail(self, err):
        self.status, self.failure = "failed", err[1]
        self.shouldStop = self.shouldStop or self.reporter.job["bail"]

    def addError(self, test, err):
        if not hasattr(test, "_testMethodName"):
            # a module or class whose set-up fails counts as a failure of all its cases
            self.reporter.say(case={"id": str(test)[:500], "file": "", "status": "failed", **describe(err[1])})
        self._fail(err)

    def addFailure(self, test, err):
        self._fail(err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._fail(err)

    def addSkip(self, test, reason):
        self.status = "skipped"

    def addExpectedFailure(self, test, err):
        self.status = "skipped"

    def addUnexpectedSuccess(self, test):
        self.status = "failed"


def load_unittest(options, files):
    loader = unittest.TestLoader()
    if options.get("names"):
        return loader.loadTestsFromNames(options["names"])
    patterns = [options.get("pattern", "test*.py")] if files is None else sorted({os.path.basename(f) for f in files})
    suites = []
    for pattern in patterns:
        loader = unittest.TestLoader()
        suites.append(loader.discover(options.get("start", "."), pattern, options.get("top")))
    return unittest.TestSuite(suites)


def run_unittest(options, stage, reporter):
    files = stage["tests"] or None
    suite = reporter.load(lambda: load_unittest(options, files))
    tests = list(flat(suite))
    if stage["only"] is not None:
        wanted = set(stage["only"])
        tests = [t for t in tests if place_of(t, options)[0] in wanted]
    result = CaseResult(reporter, options)
    unittest.TestSuite(tests).run(result)
    reporter.tell_loaded()
