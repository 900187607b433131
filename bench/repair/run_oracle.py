"""Makes the calls of an oracle to a Python program, and prints a line of JSON for each result."""

import copy
import importlib.util
import json
import random
import resource
import sys
from datetime import date, timedelta
from math import isfinite

# a patch that allocates endlessly must not bring the machine down
LIMIT = 1 << 30


def load(path, name):
    """Loads the module of a file."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def plain(value):
    """A value as JSON that distinguishes values that JSON would not; key order does not count."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return float(f"{value:.12g}") if isfinite(value) else {"$": str(value)}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return {"$": "tuple", "items": [plain(item) for item in value]}
    if isinstance(value, dict):
        items = [[plain(key), plain(item)] for key, item in value.items()]
        return {"$": "dict", "items": sorted(items, key=json.dumps)}
    if isinstance(value, (set, frozenset)):
        return {"$": "set", "items": sorted(map(plain, value), key=json.dumps)}
    if isinstance(value, (date, timedelta)):
        return {"$": type(value).__name__, "text": str(value)}
    return {"$": type(value).__name__}


def result_of(program, call):
    """The result of one call: its value or the class of its error, and the arguments that it changed."""
    what, args = (call, ()) if callable(call) else (call[0], call[1:])
    name = "driver" if callable(what) else what
    before = copy.deepcopy(args)
    try:
        value = what(program) if callable(what) else getattr(program, what)(*args)
    except MemoryError:
        raise
    except Exception as error:
        return {"call": name, "error": type(error).__name__}
    changed = {} if args == before else {"changed": plain(args)}
    return {"call": name, "value": plain(value), **changed}


def main(oracle_path, program_path):
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    oracle = load(oracle_path, "oracle")
    program = load(program_path, "program")
    for call in oracle.calls(random.Random(20240229)):
        print(json.dumps(result_of(program, call)), flush=False)


main(*sys.argv[1:])
