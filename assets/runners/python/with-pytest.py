"""Runs a stage with pytest."""

import contextlib
import os
import pathlib


class Plugin:
    def __init__(self, reporter, stage):
        self.reporter = reporter
        self.stage = stage
        self.failures = {}

    def place_of(self, nodeid):
        file = nodeid.split("::")[0]
        return " > ".join(nodeid.split("::"))[:500], file

    def pytest_collectreport(self, report):
        if report.failed:
            file = report.nodeid.split("::")[0]
            message = str(report.longrepr)[-1000:]
            self.reporter.say(case={"id": file, "file": file, "status": "failed", "message": message, "frames": []})

    def pytest_collection_modifyitems(self, items):
        if self.stage["only"] is not None:
            wanted = set(self.stage["only"])
            items[:] = [i for i in items if self.place_of(i.nodeid)[0] in wanted]

    def pytest_runtest_logstart(self, nodeid):
        id, file = self.place_of(nodeid)
        self.reporter.begin(id, file)
        self.reporter.start_clock(self.reporter.job["limits"]["loadMs"])

    def pytest_runtest_call(self):
        self.reporter.start_clock()

    def pytest_exception_interact(self, node, call, report):
        self.failures[getattr(node, "nodeid", "")] = call.excinfo.value

    def pytest_runtest_logreport(self, report):
        seen = self.failures.setdefault(("status", report.nodeid), "passed")
        if report.failed:
            self.failures["status", report.nodeid] = "failed"
        elif report.skipped and seen == "passed":
            self.failures["status", report.nodeid] = "skipped"

    def pytest_runtest_logfinish(self, nodeid):
        id, file = self.place_of(nodeid)
        status = self.failures.get(("status", nodeid), "passed")
        self.reporter.end(id, file, status, self.failures.get(nodeid))


def pytest_arguments(options):
    # what a fork prints goes nowhere, so that nothing of it has to be kept
    quiet = ["-q", "--no-header", "--tb=native", "--show-capture=no", "-s", "-p", "no:cacheprovider"]
    return [*quiet, *options.get("flags", [])]


def run_pytest(options, stage, reporter):
    reporter.loaded = None
    if PYTEST.session is not None:
        PYTEST.run(stage, reporter)
        return
    import pytest

    bail = ["-x"] if reporter.job["bail"] else []
    names = stage["tests"] or options.get("names", [])
    pytest.main([*pytest_arguments(options), *bail, *names], plugins=[Plugin(reporter, stage)])


def remember_rewritten():
    """
    Keeps the tests as pytest has compiled them, with assertions that show their values. Without it, each candidate would
    compile them again. The name is the same from version 5 to 9.
    """
    from _pytest.assertion import rewrite

    compile_tests = rewrite._rewrite_test
    known = {}

    def remembered(path, config):
        stat = os.stat(path)
        key = os.fspath(path), stat.st_mtime_ns, stat.st_size
        if key not in known:
            known[key] = compile_tests(path, config)
        return known[key]

    rewrite._rewrite_test = remembered
    return remembered


class Prepared:
    """A session of pytest up to the collection: each fork goes on from there, and need not configure pytest again."""

    def __init__(self):
        self.session = None
        self.plugin = Plugin(None, None)

    def take(self, options):
        """Prepares it, and returns why that is impossible, which a fork tries first; empty if it is not."""
        pid = os.fork()
        if pid == 0:
            try:
                self.prepare(options)
                loads = any(os.path.basename(file) != "conftest.py" for file in own_files())
                os._exit(1 if loads or len(os.listdir("/proc/self/task")) > 1 else 0)
            except BaseException:
                os._exit(1)
        if os.waitpid(pid, 0)[1] == 0:
            self.prepare(options)
            return ""
        return "pytest is configured again for each candidate, since a conftest.py or a plugin loads code of the project or starts a thread"

    def prepare(self, options):
        with silence():
            # parts of pytest without a public name, which are the same from version 5.4 to 9
            from _pytest.config import _prepareconfig
            from _pytest.main import Session

            self.compile = remember_rewritten()
            config = _prepareconfig([*pytest_arguments(options), *options.get("names", [])], [self.plugin])
            config._do_configure()
            session = Session.from_config(config)
            config.hook.pytest_sessionstart(session=session)
            self.session = session

    def compile_tests(self, paths):
        """Compiles test files for the forks of this process, if they can be compiled."""
        if self.session is None:
            return
        for path in paths:
            with contextlib.suppress(Exception):
                self.compile(pathlib.Path(os.path.abspath(path)), self.session.config)

    def run(self, stage, reporter):
        """The rest of `pytest.main`."""
        import pytest
        from _pytest.main import _main

        session = self.session
        self.plugin.reporter, self.plugin.stage = reporter, stage
        if stage["tests"]:
            session.config.args = list(stage["tests"])
        if reporter.job["bail"]:
            session.config.option.maxfail = 1
        # the reports say what failed
        with contextlib.suppress(session.Failed, session.Interrupted, pytest.UsageError, pytest.exit.Exception):
            _main(session.config, session)



PYTEST = Prepared()


def warm_pytest():
    """Loads pytest and the plugins of this machine in an empty folder, without those of the project."""
    import tempfile

    import pytest

    with tempfile.TemporaryDirectory() as empty, silence():
        pytest.main(["-q", "-c", os.devnull, "--rootdir", empty, "-p", "no:cacheprovider", empty])
