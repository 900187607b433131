"""Runs a stage with pytest."""

import contextlib
import copy
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
        self.reporter.start_clock(id, self.reporter.job["limits"]["loadMs"])

    def pytest_runtest_call(self, item):
        self.reporter.start_clock(self.place_of(item.nodeid)[0])

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


def pytest_arguments(options, plain):
    plain = ["--assert=plain"] if plain else []
    quiet = ["-q", "--no-header", "--tb=native", "--show-capture=no", "-p", "no:cacheprovider"]
    return [*quiet, *plain, *options.get("flags", [])]


def run_pytest(options, stage, reporter):
    reporter.loaded = None
    if PYTEST.session is not None and not reporter.job["coverage"]:
        PYTEST.run(stage, reporter)
        return
    import pytest

    bail = ["-x"] if reporter.job["bail"] else []
    names = stage["tests"] or options.get("names", [])
    # coverage explains assertions, too
    arguments = pytest_arguments(options, plain=not reporter.job["coverage"])
    pytest.main([*arguments, *bail, *names], plugins=[Plugin(reporter, stage)])


def rewrite_once():
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
        """Prepares it, unless that starts threads or loads more of the project than files that configure the tests."""
        is_conftest = lambda file: os.path.basename(file) == "conftest.py"
        if leaves_no_trace(lambda: self.prepare(options), is_conftest):
            self.prepare(options)

    def prepare(self, options):
        with silence():
            # parts of pytest without a public name, which are the same from version 5.4 to 9
            from _pytest.config import _prepareconfig
            from _pytest.main import Session

            self.compile = rewrite_once()
            # what a fork prints goes nowhere, so that nothing of it has to be kept
            arguments = [*pytest_arguments(options, plain=False), "-s", *options.get("names", [])]
            config = _prepareconfig(arguments, [self.plugin])
            config._do_configure()
            session = Session.from_config(config)
            config.hook.pytest_sessionstart(session=session)
            self.session = session
            self.remember()

    def remember(self):
        """Keeps how the session starts, for other stages in the same process."""
        objects = self.session, self.session._fixturemanager
        self.start = [(object, copied(vars(object))) for object in objects]
        self.plugins = self.session.config.pluginmanager.get_plugins()
        self.maxfail = self.session.config.option.maxfail

    def compile_tests(self, paths):
        """Compiles test files for the forks of this process, if they can be compiled."""
        if self.session is None:
            return
        for path in paths:
            with contextlib.suppress(Exception):
                self.compile(pathlib.Path(os.path.abspath(path)), self.session.config)

    def start_again(self):
        self.session._setupstate.teardown_exact(None)
        for object, names in self.start:
            vars(object).clear()
            vars(object).update(copied(names))

    def has_grown(self):
        """True if a stage loaded more files that configure tests, which stay loaded."""
        return self.session is not None and self.session.config.pluginmanager.get_plugins() != self.plugins

    def run(self, stage, reporter):
        """The rest of `pytest.main`."""
        from _pytest.main import _main

        session = self.session
        self.plugin.reporter, self.plugin.stage, self.plugin.failures = reporter, stage, {}
        if stage["tests"]:
            session.config.args = list(stage["tests"])
        session.config.option.maxfail = 1 if reporter.job["bail"] else self.maxfail
        import pytest

        try:
            _main(session.config, session)
        except (session.Failed, session.Interrupted, pytest.UsageError, pytest.exit.Exception):
            # the reports say what failed
            pass


def copied(value):
    """Copies lists, sets and dictionaries, but no other object."""
    if isinstance(value, dict):
        found = copy.copy(value)
        found.update((key, copied(inner)) for key, inner in value.items())
        return found
    return [copied(inner) for inner in value] if type(value) is list else set(value) if type(value) is set else value


PYTEST = Prepared()


def warm_pytest():
    """Loads pytest and the plugins of this machine in an empty folder, without those of the project."""
    import tempfile

    import pytest

    with tempfile.TemporaryDirectory() as empty, silence():
        pytest.main(["-q", "-c", os.devnull, "--rootdir", empty, "-p", "no:cacheprovider", empty])
