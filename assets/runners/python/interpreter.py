"""The interpreter in which tests of unittest and pytest run: what it has loaded, and where its output goes."""

import contextlib
import functools
import os
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


def own_files():
    """The files of the project that are loaded as modules."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return {file for file in files if file and own_path(file) is not None}


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

