"""Runs a stage in a fork of the interpreter, and follows what it sends."""

import contextlib
import gc
import io
import json
import os
import resource
import select
import signal
import sys
import time

KINDS = {"unittest": run_unittest, "pytest": run_pytest}


def begin_quietly():
    """Makes a process of its own of a fork, without output, and with its limits."""
    os.setsid()
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    # standard output may hold text that the parent has not written yet
    sys.stdout, sys.stderr = io.TextIOWrapper(io.FileIO(1, "w")), io.TextIOWrapper(io.FileIO(2, "w"))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, late)


def run_child(options, stage, job, pipe):
    """Runs one stage in its own process, and never returns."""
    begin_quietly()
    with os.fdopen(pipe, "w") as out:
        reporter = Reporter(out, job)
        start = time.process_time()
        # an end without the last message shows what ended it
        with contextlib.suppress(BaseException):
            KINDS[options["kind"]](options, stage, reporter)
            took = (time.process_time() - start) * 1000
            reporter.say(done=True, loadMs=max(0, took - reporter.in_cases))
    os._exit(0)


def run_stage(options, stage, job):
    """Runs a stage in a fork of its own: what it sent, and how it ended (done, time or crash)."""
    PYTEST.compile_tests(stage["tests"])
    read, write = os.pipe()
    gc.freeze()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        run_child(options, stage, job, write)
    os.close(write)
    seen = Messages(job["limits"], pid)
    seen.ended = seen.follow(read)
    os.close(read)
    usage = end_process(pid)
    seen.cpu = (usage.ru_utime + usage.ru_stime) * 1000
    return seen


def end_process(pid):
    """Ends a fork with all that it started, and returns what it used."""
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    return os.wait4(pid, 0)[2]


class Messages:
    """What a fork sent about a stage until now, and whether it reached a limit that it cannot see itself."""

    def __init__(self, limits, pid):
        self.limits, self.pid = limits, pid
        self.text = b""
        self.cases, self.coverage, self.spent = [], [], {}
        self.running, self.done, self.load, self.cpu = None, False, 0, 0
        self.start = self.at = time.monotonic()
        self.since = 0

    def follow(self, pipe):
        """Reads until the stage is done, reaches a limit, or its process ends."""
        ended = None
        while not self.done and ended is None:
            if select.select([pipe], [], [], 0.05)[0]:
                chunk = os.read(pipe, 1 << 20)
                if not chunk:
                    return "crash"
                self.take(chunk)
            if not self.done and self.late():
                ended = "time"
        if ended == "time" and self.running is not None:
            self.cases.append({**self.running, "status": "failed", "message": OUT_OF_TIME, "frames": []})
        return ended or "done"

    def take(self, chunk):
        *lines, self.text = (self.text + chunk).split(b"\n")
        for line in lines:
            message = parse(line)
            if "begin" in message:
                self.running = message["begin"]
                self.at, self.since = time.monotonic(), processor_ms(self.pid)
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
                self.done, self.load = True, message["loadMs"]

    def failed(self):
        return any(case["status"] == "failed" for case in self.cases)

    def late(self):
        limits, now, cpu = self.limits, time.monotonic(), processor_ms(self.pid)
        if self.running is not None:
            # the child interrupts loops; those that it cannot interrupt, and hooks, end here
            most = max(3 * limits["caseMs"], limits["loadMs"])
            if cpu - self.since > most or (now - self.at) * 1000 > limits["waitMs"]:
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
