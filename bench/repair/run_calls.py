"""Evaluates calls of a Python program, and prints a line of JSON for each: run_calls.py PROGRAM CALLS TIMES."""

import copy
import importlib.util
import inspect
import json
import random
import re
import resource
import sys
from math import isfinite

# a patch that allocates endlessly must not bring the machine down
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
changed = False


def plain(value):
    """A value as JSON that distinguishes what JSON would not; the order of keys does not count."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and isfinite(value):
        return float(f"{value:.12g}")
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return {"$": [plain(item) for item in value]}
    if isinstance(value, dict):
        return {"$": sorted([[plain(k), plain(v)] for k, v in value.items()], key=json.dumps)}
    if isinstance(value, (set, frozenset)):
        return {"$": sorted(map(plain, value), key=json.dumps)}
    return {"$": str(value)}


def watch(function):
    """The function, which notes whether it changes an argument."""

    def call(*args):
        global changed
        before = copy.deepcopy(args)
        value = function(*args)
        changed = changed or args != before
        return value

    return call


def many(low, high, make):
    return [make(i) for i in range(random.randint(low, high))]


path, calls, times = sys.argv[1:]
spec = importlib.util.spec_from_file_location("program", path)
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
names = {k: watch(v) if inspect.isfunction(v) else v for k, v in vars(program).items()}
names |= {"num": random.randint, "pick": lambda *values: random.choice(values), "many": many}
names["text"] = lambda letters, low, high: "".join(many(low, high, lambda _: random.choice(letters)))
lines = [line for line in open(calls).read().split("\n") if line]
for line in lines:
    if re.match(r"\w+ = ", line):
        exec(line, names)
for i, line in enumerate(line for line in lines if not re.match(r"\w+ = ", line)):
    for n in range(int(times)):
        # a program that asks for other values than the fix does must not change the next ones
        random.seed(1000 * i + n)
        changed = False
        try:
            result = {"value": plain(eval(line, names))}
        except MemoryError:
            raise
        except Exception as error:
            result = {"error": type(error).__name__}
        print(json.dumps({**result, "changed": changed}))
