"""Runs inside the sandbox: runs tests of unittest or pytest, each job in a fork of a warm interpreter."""

import compileall
import contextlib
import functools
import gc
import importlib
import importlib.util
import io
import json
import os
import re
import resource
import select
import signal
import sys
import threading
import time
import traceback
import unittest

ROOT = os.getcwd()
MEMORY = 2 << 30
sys.dont_write_bytecode = True


class OutOfTime(BaseException):
    """Raised in a case that reached its limit of processor time."""


@functools.lru_cache(maxsize=None)
def own_path(name):
    """The path below the root; None for files outside the project."""
    path = os.path.relpath(os.path.abspath(name), ROOT)
    outside = path.startswith("..") or "site-packages" in path or path.startswith((".venv", "venv", "<"))
    return None if outside or name.startswith("<") else path


def loaded_modules(own):
    """The names of the loaded modules that belong to the project, or of the others; in the order of their loading."""
    files = [(name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items())]
    return [name for name, file in files if file and name != "__main__" and (own_path(file) is not None) == own]


def leaves_no_trace(work, is_known):
    """Tries some work in a fork, because it cannot be undone: true if it starts no thread and loads no other file of the project."""
    before = set(loaded_modules(own=True))
    pid = os.fork()
    if pid == 0:
        try:
            signal.alarm(30)
            work()
            added = set(loaded_modules(own=True)) - before
            fits = all(is_known(sys.modules[name].__file__) for name in added)
            os._exit(0 if fits and len(os.listdir("/proc/self/task")) == 1 else 1)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


class Preloaded:
    """What the tests load from outside of the project is loaded once, and each fork finds it loaded."""

    wanted = True

    def take(self, names):
        """Loads what a first fork had loaded. If that would start threads or load the project, only what Python ships."""
        self.wanted = False
        names = [name for name in names if name not in sys.modules]
        # Python tells which are its own since version 3.10
        shipped = getattr(sys, "stdlib_module_names", ())
        for part in (names, [name for name in names if name.split(".")[0] in shipped]):
            if part and self.is_safe(part):
                self.load(part)
                return

    def is_safe(self, names):
        return leaves_no_trace(lambda: self.load(names), lambda file: False)

    def load(self, names):
        with silence():
            for name in names:
                try:
                    importlib.import_module(name)
                except BaseException:
                    # the tests load it in another way, and each fork does it as before
                    pass


QUIET = open(os.devnull, "w")


@contextlib.contextmanager
def silence():
    """Keeps what code prints out of the answers, and the jobs away from it."""
    keep = [os.dup(n) for n in (0, 1, 2)]
    nowhere = os.open(os.devnull, os.O_RDWR)
    outer = sys.stdout, sys.stderr
    for n in (0, 1, 2):
        os.dup2(nowhere, n)
    try:
        # it stays open, because what is loaded may keep it
        sys.stdout = sys.stderr = QUIET
        yield
    finally:
        sys.stdout, sys.stderr = outer
        for n, kept in enumerate(keep):
            os.dup2(kept, n)
            os.close(kept)
        os.close(nowhere)


PRELOADED = Preloaded()


class Tracer:
    """Records the lines that run between start and stop, by file; uses sys.monitoring if available."""

    def __init__(self):
        self.lines = {}
        self.known = {}
        self.monitoring = getattr(sys, "monitoring", None)

    def path_of(self, code):
        name = code.co_filename
        if name not in self.known:
            self.known[name] = own_path(name)
        return self.known[name]

    def _line(self, code, line):
        path = self.path_of(code)
        if path is None:
            return self.monitoring.DISABLE
        self.lines.setdefault(path, set()).add(line)

    def _trace(self, frame, event, _):
        path = self.path_of(frame.f_code)
        if path is None:
            return None
        lines = self.lines.setdefault(path, set())
        lines.add(frame.f_lineno)

        def local(inner, what, _):
            if what == "line":
                lines.add(inner.f_lineno)
            return local

        return local

    def start(self):
        self.lines = {}
        if self.monitoring is None:
            threading.settrace(self._trace)
            sys.settrace(self._trace)
            return
        tool = self.monitoring.COVERAGE_ID
        self.monitoring.use_tool_id(tool, "photon")
        self.monitoring.register_callback(tool, self.monitoring.events.LINE, self._line)
        self.monitoring.set_events(tool, self.monitoring.events.LINE)

    def stop(self):
        if self.monitoring is None:
            sys.settrace(None)
            threading.settrace(None)
        else:
            tool = self.monitoring.COVERAGE_ID
            self.monitoring.set_events(tool, 0)
            self.monitoring.free_tool_id(tool)
        # some versions report line 0 for the start of a module
        return {path: sorted(n for n in lines if n) for path, lines in self.lines.items()}


class Reporter:
    """Sends messages from a child to its parent: the start and end of cases, lines, the end."""

    def __init__(self, out, job):
        self.out = out
        self.job = job
        self.tracer = Tracer() if job["coverage"] else None
        self.files = set()
        self.since = 0.0
        self.in_cases = 0.0

    def say(self, **message):
        self.out.write(json.dumps(message) + "\n")
        # the parent has to know at once what runs; what has ended can wait for the next message
        if "case" not in message:
            self.out.flush()

    def begin(self, id, file):
        self.files.add(file)
        self.say(begin={"id": id, "file": file})
        self.start_clock(id)
        if self.tracer:
            self.tracer.start()

    def start_clock(self, id, more=0):
        """Starts the clock of a case; `more` is for fixtures that other cases share."""
        limits = self.job["limits"]
        self.since = time.process_time()
        arm(limit_of(limits, id)["cpuMs"] + more, own=id in limits["byCase"])

    def end(self, id, file, status, error=None):
        arm(0)
        spent = (time.process_time() - self.since) * 1000
        lines = self.tracer.stop() if self.tracer else None
        if lines is not None:
            self.say(coverage={"id": id, "file": file, "files": lines})
        about = describe(error) if status == "failed" else {}
        self.in_cases += spent
        late = "ran out of time" in about.get("message", "")
        measured = {} if late else {"spent": spent}
        self.say(case={"id": id, "file": file, "status": status, **about}, **measured)

    def load(self, work):
        """Runs the code that loads the tests; its lines count for every test file."""
        arm(self.job["limits"]["loadMs"])
        if self.tracer:
            self.tracer.start()
        try:
            return work()
        finally:
            arm(0)
            self.loaded = self.tracer.stop() if self.tracer else None

    def tell_loaded(self):
        for file in sorted(self.files):
            if self.loaded is not None:
                self.say(coverage={"id": None, "file": file, "files": self.loaded})


LATE = {"cases": 0}


def limit_of(limits, id):
    """The limits of a case: its own, or those of all."""
    return limits["byCase"].get(id) or {"cpuMs": limits["caseMs"], "wallMs": limits["waitMs"]}


def arm(milliseconds, own=False):
    """Starts the clock of a case; 0 stops it. After one reached its limit, others without their own get less time."""
    if LATE["cases"] and not own:
        milliseconds = min(milliseconds, 500)
    # repeats, because the code under test may catch the first one
    signal.setitimer(signal.ITIMER_PROF, milliseconds / 1000, 0.1 if milliseconds else 0)


def late(_signal, _frame):
    LATE["cases"] += 1
    raise OutOfTime("ran out of time")


def describe(error):
    if error is None:
        return {"message": "", "frames": []}
    frames = []
    # without the text of the lines, which would be read for each candidate
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = own_path(frame.f_code.co_filename)
        if path is not None and line:
            frames.insert(0, {"path": path, "line": line})
    return {"message": f"{type(error).__name__}: {error}"[:1000], "frames": frames[:20]}


# unittest


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


# pytest


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

            # what a fork prints goes nowhere, so that nothing of it has to be kept
            arguments = [*pytest_arguments(options, plain=True), "-s", *options.get("names", [])]
            config = _prepareconfig(arguments, [self.plugin])
            config._do_configure()
            session = Session.from_config(config)
            config.hook.pytest_sessionstart(session=session)
            self.session = session

    def run(self, stage, reporter):
        """The rest of `pytest.main`."""
        from _pytest.main import _main

        session = self.session
        self.plugin.reporter, self.plugin.stage = reporter, stage
        if stage["tests"]:
            session.config.args = list(stage["tests"])
        if reporter.job["bail"]:
            session.config.option.maxfail = 1
        import pytest

        try:
            _main(session.config, session)
        except (session.Failed, session.Interrupted, pytest.UsageError, pytest.exit.Exception):
            # the reports say what failed
            pass


PYTEST = Prepared()


def warm_pytest():
    """Loads pytest and the plugins of this machine in an empty folder, without those of the project."""
    import tempfile

    import pytest

    with tempfile.TemporaryDirectory() as empty, silence():
        pytest.main(["-q", "-c", os.devnull, "--rootdir", empty, "-p", "no:cacheprovider", empty])


KINDS = {"unittest": run_unittest, "pytest": run_pytest}


def child(options, stage, job, pipe):
    """Runs one stage in its own process, and never returns."""
    os.setsid()
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    # standard output may hold text that the parent has not written yet
    sys.stdout, sys.stderr = io.TextIOWrapper(io.FileIO(1, "w")), io.TextIOWrapper(io.FileIO(2, "w"))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, late)
    with os.fdopen(pipe, "w") as out:
        reporter = Reporter(out, job)
        try:
            KINDS[options["kind"]](options, stage, reporter)
            modules = loaded_modules(own=False) if PRELOADED.wanted else []
            load = max(0, time.process_time() * 1000 - reporter.in_cases)
            reporter.say(done=True, loadMs=load, modules=modules)
        except BaseException as error:
            if not isinstance(error, (SystemExit, OutOfTime)):
                reporter.say(why=repr(error)[:500])
    os._exit(0)


def run_stage(options, stage, job):
    """The cases and lines of a stage, and how it ended: done, time or crash."""
    read, write = os.pipe()
    gc.freeze()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        child(options, stage, job, write)
    os.close(write)
    limits = job["limits"]
    seen = Messages(limits)
    ended = None
    with os.fdopen(read, "rb", buffering=0) as pipe:
        while ended is None:
            ready = select.select([pipe], [], [], 0.05)[0]
            if ready:
                chunk = pipe.read(1 << 20)
                if not chunk:
                    ended = "crash"
                seen.take(chunk, pid)
            if ended is None and seen.late(pid):
                ended = "time"
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
    _, _, usage = os.wait4(pid, 0)
    if seen.done:
        ended = "done"
    if seen.running is not None and ended == "time":
        seen.cases.append({**seen.running, "status": "failed", "message": "ran out of time", "frames": []})
    seen.cpu = (usage.ru_utime + usage.ru_stime) * 1000
    return seen, ended


class Messages:
    """What a child sent until now, and whether it reached a limit that it cannot see itself."""

    def __init__(self, limits):
        self.limits = limits
        self.text = b""
        self.cases, self.coverage, self.spent = [], [], {}
        self.running, self.done, self.load, self.cpu = None, False, 0, 0
        self.modules = []
        self.start = self.at = time.monotonic()
        self.since = 0

    def take(self, chunk, pid):
        *lines, self.text = (self.text + chunk).split(b"\n")
        for line in lines:
            message = parse(line)
            if "begin" in message:
                self.running = message["begin"]
                self.at, self.since = time.monotonic(), processor_ms(pid)
            if "case" in message:
                case = message["case"]
                self.cases.append(case)
                if "spent" in message:
                    wall = (time.monotonic() - self.at) * 1000
                    self.spent[case["id"]] = {"cpuMs": message["spent"], "wallMs": wall}
                self.running = None
            if "coverage" in message:
                self.coverage.append(message["coverage"])
            if "done" in message:
                self.done, self.load, self.modules = True, message["loadMs"], message["modules"]

    def late(self, pid):
        limits, now, cpu = self.limits, time.monotonic(), processor_ms(pid)
        if self.running is not None:
            own = limit_of(limits, self.running["id"])
            # the child interrupts loops; those that it cannot interrupt, and hooks, end here
            most = max(3 * own["cpuMs"], limits["loadMs"])
            if cpu - self.since > most or (now - self.at) * 1000 > own["wallMs"]:
                return True
        return cpu > limits["cpuMs"] or (now - self.start) * 1000 > limits["wallMs"]


def processor_ms(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
    except (OSError, IndexError):
        return 0
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def parse(line):
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


class Files:
    """Writes the files of a candidate, and restores those of the earlier one."""

    def __init__(self):
        self.originals = {}
        self.placed = set()

    def put(self, path, text):
        if text is None:
            os.remove(path)
        else:
            with open(path, "w", newline="") as file:
                file.write(text)
        # Python identifies compiled modules by time and size, which a candidate may share with the earlier text
        if path.endswith(".py"):
            try:
                os.remove(importlib.util.cache_from_source(path))
            except FileNotFoundError:
                pass

    def place(self, files):
        for path in self.placed - set(files):
            self.put(path, self.originals[path])
        for path, text in files.items():
            if path not in self.originals:
                with open(path, newline="") as file:
                    self.originals[path] = file.read()
            self.put(path, text)
        self.placed = set(files)


def run(options, files, job):
    files.place(job["files"])
    job.setdefault("limits", options["limits"])
    cases, coverage, spent, cpu, load = [], [], {}, 0, 0
    for stage in job["stages"]:
        seen, ended = run_stage(options, stage, job)
        cases, coverage = cases + seen.cases, coverage + seen.coverage
        cpu, load = cpu + seen.cpu, max(load, seen.load)
        spent.update({} if job["bail"] else seen.spent)
        bad = any(c["status"] == "failed" for c in seen.cases)
        if PRELOADED.wanted and ended == "done":
            PRELOADED.take(seen.modules)
        if ended != "done" or (bad and job["bail"]):
            break
    took = {"cpuMs": cpu, "loadMs": load, "spent": spent}
    return {"id": job["id"], "cases": cases, "ended": ended, "coverage": coverage, **took}


def compile_all():
    """Compiles the project's modules, so that children need not compile unchanged modules."""
    compileall.compile_dir(ROOT, maxlevels=8, quiet=2, rx=re.compile(r"[/\\\\](\.|venv|node_modules|site-packages)"))


def main():
    options, files = {}, Files()
    for line in sys.stdin:
        job = json.loads(line)
        if job["op"] == "open":
            options = job
            PRELOADED.wanted = job.get("preload", True)
            compile_all()
            if job["kind"] == "pytest":
                warm_pytest()
                if not job.get("cwdOnPath"):
                    sys.path[:] = [p for p in sys.path if p != ""]
                if PRELOADED.wanted:
                    PYTEST.take(job)
            answer = {"id": job["id"], "python": sys.version.split()[0]}
        else:
            answer = run(options, files, job)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
