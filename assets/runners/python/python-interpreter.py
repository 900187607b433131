"""The interpreter in which tests of unittest and pytest run: what it has loaded, and where its output goes."""

import contextlib
import functools
import importlib
import os
import signal
import sys

ROOT = os.getcwd()
MEMORY = 2 << 30
sys.dont_write_bytecode = True


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
