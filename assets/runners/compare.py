

# Compares two versions of a function on the calls of the tests. Photon appends this text to a source file.
# A difference is raised, with the call, so that its test case fails.
# With `strict`, a call fails that cannot be compared: one whose copy ends in another way, one whose result cannot be seen,
# and one whose arguments cannot be changed.
class _PhotonState:
    side = None
    calls = 0
    tried = 0
    judged = 0
    hidden = False


def _photon_compare(both, args, named, near, strict):
    import copy

    state = _PhotonState
    if state.side is not None:
        return both[state.side](*args, **named)
    if state.calls >= 200:
        return both[0](*args, **named)
    state.calls += 1

    def run(side, call, see=_photon_drained):
        state.side = side
        try:
            return "value", see(both[side](*call[0], **call[1])), call
        except Exception as error:
            return "error", error, call
        finally:
            state.side = None

    try:
        copies = [copy.deepcopy((args, named)) for _ in range(4)]
    except Exception:
        copies = None
    if copies is None:
        if strict or state.judged == 0:
            raise AssertionError("photon: calls cannot be compared")
        return both[0](*args, **named)
    # a call whose copy ends in another way depends on more than its arguments, so it tells nothing
    control = run(0, copies[2])
    one = run(0, (args, named), lambda value: value)
    seen = run(0, copies[3]) if one[0] == "value" and hasattr(one[1], "__next__") else one
    judged = _photon_alike(seen, control)
    state.hidden = False
    if judged:
        state.judged += 1
        _photon_judge(seen, run(1, copies[0]), copies[1])
    changes = near is None or not args
    for changed in [] if not judged or near is None else _photon_near(copies[1][0], near):
        changes = True
        if state.tried >= 1500:
            break
        state.tried += 1
        call = (changed, copies[1][1])
        changed_one = run(0, copy.deepcopy(call))
        # what the first version refuses is no input of the function
        if changed_one[0] == "value":
            _photon_judge(changed_one, run(1, copy.deepcopy(call)), call)
    compared = judged and changes and not state.hidden
    if not compared if strict else state.judged == 0:
        raise AssertionError("photon: calls cannot be compared")
    if one[0] == "error":
        raise one[1]
    return one[1]


def _photon_drained(value):
    """The first values of an iterator in its place, so that they can be compared."""
    import itertools

    return list(itertools.islice(value, 100)) if hasattr(value, "__next__") else value


def _photon_alike(one, other):
    return one[0] == other[0] and _photon_same(one[1], other[1]) and _photon_same(one[2], other[2])


def _photon_judge(one, other, call):
    if _photon_alike(one, other):
        return
    show = lambda end: ("raises " if end[0] == "error" else "") + repr(end[1])[:60]
    results = [show(one), show(other)]
    ends = "other side effects" if results[0] == results[1] else " and ".join(results)
    shown = ", ".join(repr(a)[:60] for a in call[0])
    # in parts, so that a report that quotes this line does not hold the mark
    raise AssertionError(": ".join(["photon", "versions differ", "(" + shown + ")"]) + " gives " + ends + ";")


def _photon_same(a, b, depth=0):
    import math
    import types

    if a is b:
        return True
    if depth > 12:
        _PhotonState.hidden = True
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, float) and math.isnan(a) and math.isnan(b):
        return True
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(_photon_same(x, y, depth + 1) for x, y in zip(a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(_photon_same(a[k], b[k], depth + 1) for k in a)
    if isinstance(a, BaseException):
        return _photon_same(a.args, b.args, depth + 1)
    later = (types.CoroutineType, types.AsyncGeneratorType, types.GeneratorType)
    if isinstance(a, (types.FunctionType, types.MethodType, *later)) or hasattr(a, "__next__"):
        # what it encloses, or gives later, cannot be seen
        _PhotonState.hidden = True
        return True
    plain = type(a).__eq__ is object.__eq__
    if plain and hasattr(a, "__dict__"):
        return _photon_same(vars(a), vars(b), depth + 1)
    try:
        if plain:
            _PhotonState.hidden = True
        return plain or bool(a == b)
    except Exception:
        _PhotonState.hidden = True
        return True


def _photon_near(args, literals):
    """Arguments near those of a call: one of them changed, by a little or to a literal of the tests."""
    for i, arg in enumerate(args):
        for other in _photon_beside(arg, literals, 0):
            yield args[:i] + (other,) + args[i + 1 :]


def _photon_beside(value, literals, depth):
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0, value * 2, -value)
        yield from (one for one in literals if type(one) is int)
    elif isinstance(value, float):
        yield from (value + 0.5, value - 0.5)
        yield from (one for one in literals if type(one) is float)
    elif isinstance(value, str):
        yield from (value[1:], value[:-1], value * 2, value.upper(), value.lower(), value.capitalize())
        yield from (one for one in literals if type(one) is str)
        yield from _photon_dates(value)
    elif isinstance(value, (list, tuple)):
        yield from (value[:0], value[1:], value[:-1], value[::-1], value + value)
        for i, part in enumerate(value[:4] if depth < 2 else ()):
            for other in _photon_beside(part, literals, depth + 1):
                yield value[:i] + type(value)((other,)) + value[i + 1 :]
    elif isinstance(value, dict) and depth < 2:
        for key in list(value)[:6]:
            for other in _photon_beside(value[key], literals, depth + 1):
                yield {**value, key: other}
    elif isinstance(value, (set, frozenset)):
        yield value - value
        for one in list(value)[:4]:
            yield value - {one}
    elif hasattr(value, "isoformat") or hasattr(value, "total_seconds"):
        import datetime

        for step in (datetime.timedelta(seconds=1), datetime.timedelta(days=1), datetime.timedelta(days=365)):
            for sign in (1, -1):
                try:
                    yield value + sign * step
                except (TypeError, OverflowError):
                    pass


def _photon_dates(text):
    """Other days in the place of one that a text begins with."""
    import datetime

    try:
        day = datetime.date.fromisoformat(text[:10])
    except ValueError:
        return
    for days in (1, -1, 365, -365):
        yield (day + datetime.timedelta(days=days)).isoformat() + text[10:]
