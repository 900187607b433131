"""A process that stays, for the failing cases of one candidate after another."""

import contextlib
import gc
import json
import linecache
import os
import resource
import sys
import warnings
from types import ModuleType


class Surroundings:
    """What the code under test may leave changed outside of its own modules, for the next candidate in its process."""

    MOST_KIB = 500_000

    def __init__(self):
        self.path, self.folder, self.environment = list(sys.path), os.getcwd(), dict(os.environ)
        self.streams, self.depth = (sys.stdout, sys.stderr), sys.getrecursionlimit()
        self.filters = list(warnings.filters)
        loaded = {name: module for name, module in sys.modules.items() if isinstance(module, ModuleType)}
        self.own = [module for module in loaded.values() if is_own(module)]
        self.others = {name: (module, dict(vars(module))) for name, module in loaded.items() if name != "__main__"}
        self.random = sys.modules["random"].getstate() if "random" in sys.modules else None
        self.files = opened_files()

    def restore(self):
        """Forgets the modules of the project, and undoes what their code changed elsewhere."""
        loaded = [(name, module) for name, module in list(sys.modules.items()) if name not in self.others]
        own = {name: module for name, module in loaded if is_own(module)}
        for name in own:
            del sys.modules[name]
        for name, (module, _) in self.others.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
        for module, names in self.used([*own.values(), *self.own]):
            restore_names(vars(module), names)
        sys.path[:], warnings.filters[:] = self.path, self.filters
        sys.stdout, sys.stderr = self.streams
        if os.getcwd() != self.folder:
            os.chdir(self.folder)
        if os.environ != self.environment:
            os.environ.clear()
            os.environ.update(self.environment)
        if sys.getrecursionlimit() != self.depth:
            sys.setrecursionlimit(self.depth)
        # each candidate draws the same numbers, as in a fork
        if self.random is not None:
            sys.modules["random"].setstate(self.random)
        linecache.clearcache()

    def is_disturbed(self):
        """True after a case that was interrupted, and if something is left that only the end of the process ends."""
        if LATE["cases"] or PYTEST.has_grown() or has_children() or len(os.listdir("/proc/self/task")) > 1:
            return True
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > self.MOST_KIB:
            return True
        # such as a server that listens
        if opened_files() > self.files:
            gc.collect()
        return opened_files() > self.files

    def used(self, own):
        """The other modules that those of the project name, and what these held."""
        values = [value for module in own for value in getattr(module, "__dict__", {}).values()]
        names = {value.__name__ for value in values if isinstance(value, ModuleType)}
        return [self.others[name] for name in {"builtins", *names} if name in self.others]


def restore_names(now, known):
    with contextlib.suppress(Exception):
        # quick, because the same objects are equal; others may refuse to be compared
        if known == now:
            return
    for key in known.keys() | now.keys():
        if key in known:
            now[key] = known[key]
        elif not isinstance(now[key], ModuleType):
            del now[key]


def opened_files():
    return len(os.listdir("/proc/self/fd"))


def has_children():
    """True if a program that the tests started still runs."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        return False
    return True


def is_own(module):
    """True for a module of the project, and for a package without a file of its own."""
    files = [getattr(module, "__file__", None), *getattr(module, "__path__", [])]
    return any(file and own_path(file) is not None for file in files)


class Shared:
    """
    A fork that stays, for the failing cases of one candidate after another: it loads the modules of the project again
    for each. A fork for each takes three times as long.
    """

    MOST_JOBS = 200
    # a suite that takes longer gains nothing
    MOST_MS = 100

    def __init__(self):
        self.pid = None
        self.jobs = 0
        self.agreed = {}

    def may_run(self, options, files, job):
        """True for a job of which it may run all stages but the last: there, the base ends as in forks, also when repeated."""
        stages = job["stages"][:-1]
        ready = options["kind"] == "unittest" or PYTEST.session is not None
        if not ready or not stages or not job["bail"] or job["coverage"]:
            return False
        key = json.dumps(stages)
        if key not in self.agreed:
            files.place({})
            self.agreed[key] = self.agrees(options, stages, {**job, "bail": False})
        return self.agreed[key]

    def agrees(self, options, stages, job):
        alone = run_stages(run_stage, stages, options, job)
        if any(ended != "done" or seen.late_case() for seen, ended in alone):
            return False
        if sum(seen.cpu for seen, _ in alone) > self.MOST_MS:
            return False
        for _ in range(2):
            shared = run_stages(self.run, stages, options, job)
            if ends(shared) != ends(alone) or any(seen.leaves for seen, _ in shared):
                return False
        return True

    def run(self, options, stage, job):
        """Runs a stage as `run_stage` does."""
        if self.pid is None:
            self.start(options)
        limits = dict(job["limits"])
        if self.jobs > 0:
            limits["loadMs"] = limits.get("startedLoadMs", limits["loadMs"])
        order = {"stage": stage, "job": {**job, "limits": limits, "files": None, "stages": None}}
        seen = Messages(limits, self.pid, processor_ms(self.pid))
        with contextlib.suppress(BrokenPipeError):
            self.orders.write(json.dumps(order) + "\n")
            self.orders.flush()
        ended = seen.follow(self.read)
        self.jobs += 1
        if ended != "done" or seen.leaves or self.jobs >= self.MOST_JOBS:
            self.stop()
        return seen, ended

    def start(self, options):
        orders, write_orders = os.pipe()
        self.read, write = os.pipe()
        gc.freeze()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(write_orders)
            os.close(self.read)
            self.serve(options, orders, write)
        os.close(orders)
        os.close(write)
        self.orders = os.fdopen(write_orders, "w")
        self.jobs = 0

    def serve(self, options, orders, pipe):
        """Serves jobs in the fork, and never returns."""
        try:
            begin_quietly()
            around = Surroundings()
            with os.fdopen(orders) as lines, os.fdopen(pipe, "w") as out:
                for line in lines:
                    order = json.loads(line)
                    around.restore()
                    if PYTEST.session is not None:
                        PYTEST.start_again()
                    if not report_stage(options, order["stage"], order["job"], out, around):
                        break
        finally:
            os._exit(0)

    def stop(self):
        end_process(self.pid)
        self.pid = None
        os.close(self.read)
        with contextlib.suppress(BrokenPipeError):
            self.orders.close()


SHARED = Shared()
