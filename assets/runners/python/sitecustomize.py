"""Python loads this before a program: it records the lines of the project that run, without what runs below the tests left out."""

import atexit
import json
import os
import sys
import threading

ROOT = os.getcwd() + os.sep
FOLDER = os.path.dirname(os.path.abspath(__file__))
LEFT_OUT = set(os.environ.get("PHOTON_LEFT_OUT", "").split(","))
LINES = {}
PATHS = {}
STATE = {"pauses": 0}


def own_lines(name):
    """The recorded lines of a file; None for one outside the project."""
    if name not in PATHS:
        path = os.path.abspath(name)
        foreign = not path.startswith(ROOT) or path.startswith(FOLDER) or "site-packages" in path or name.startswith("<")
        PATHS[name] = None if foreign else LINES.setdefault(path[len(ROOT) :], set())
    return PATHS[name]


def trace(frame, _event, _argument):
    lines = own_lines(frame.f_code.co_filename)
    if lines is None:
        return None
    pauses = frame.f_code.co_name in LEFT_OUT
    STATE["pauses"] += pauses

    def local(inner, event, _):
        if event == "line" and not STATE["pauses"]:
            lines.add(inner.f_lineno)
        elif event == "return":
            STATE["pauses"] -= pauses
        return local

    return local


def write():
    sys.settrace(None)
    output = os.path.join(FOLDER, "lines.json")
    try:
        with open(output) as file:
            known = json.load(file)
    except (OSError, ValueError):
        known = {}
    for path, lines in LINES.items():
        known[path] = sorted(lines.union(known.get(path, [])))
    # a process of a program in another language, such as a build, runs no line of the project
    if any(known.values()):
        with open(output, "w") as file:
            json.dump(known, file)


atexit.register(write)
threading.settrace(trace)
sys.settrace(trace)
