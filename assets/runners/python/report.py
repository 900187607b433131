"""Reports the cases of a stage: their limits of time, their lines and their failures."""

import json
import signal
import sys
import threading
import time
import traceback

OUT_OF_TIME = "ran out of time"


class OutOfTime(BaseException):
    """Raised in a case that reached its limit of processor time."""


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
        self.start_clock()
        if self.tracer:
            self.tracer.start()

    def start_clock(self, more=0):
        """Starts the clock of a case; `more` is for fixtures that other cases share."""
        self.since = time.process_time()
        arm(self.job["limits"]["caseMs"] + more)

    def end(self, id, file, status, error=None):
        arm(0)
        spent = (time.process_time() - self.since) * 1000
        lines = self.tracer.stop() if self.tracer else None
        if lines is not None:
            self.say(coverage={"id": id, "file": file, "files": lines})
        about = describe(error) if status == "failed" else {}
        self.in_cases += spent
        late = OUT_OF_TIME in about.get("message", "")
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


def arm(milliseconds):
    """Starts the clock of a case; 0 stops it. After one reached its limit, the others get less time."""
    if LATE["cases"]:
        milliseconds = min(milliseconds, 500)
    # repeats, because the code under test may catch the first one
    signal.setitimer(signal.ITIMER_PROF, milliseconds / 1000, 0.1 if milliseconds else 0)


def late(_signal, _frame):
    LATE["cases"] += 1
    raise OutOfTime(OUT_OF_TIME)


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
