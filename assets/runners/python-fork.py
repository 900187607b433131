"""Runs a stage in a fork of the interpreter, and follows what it sends."""

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
