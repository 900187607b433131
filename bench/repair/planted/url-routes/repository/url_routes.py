"""Paths with parameters: "/users/:id", "/files/*"."""


def parts_of(path):
    """The parts of a path, without empty ones."""
    return [part for part in path.split("/") if part]


def match(pattern, path):
    """The parameters of a path that fits a pattern; None if it does not. A star takes the rest."""
    wanted, given = parts_of(pattern), parts_of(path)
    found = {}
    for i, part in enumerate(wanted):
        if part == "*":
            found["rest"] = "/".join(given[i:])
            return found
        if i >= len(given):
            return None
        if part.startswith(":"):
            found[part[1:]] = given[i]
        elif part != given[i]:
            return None
    return found if len(given) == len(wanted) else None


def weight(pattern):
    """How special a pattern is: fixed parts before parameters, and these before stars."""
    kinds = [0 if part == "*" else 1 if part.startswith(":") else 2 for part in parts_of(pattern)]
    return tuple(kinds)


def route(patterns, path):
    """The most special pattern that fits, and its parameters; None if none does."""
    fitting = [p for p in patterns if match(p, path) is not None]
    if not fitting:
        return None
    best = max(fitting, key=weight)
    return best, match(best, path)


def build(pattern, values):
    """The path of a pattern with these parameters."""
    parts = []
    for part in parts_of(pattern):
        if part == "*":
            parts += parts_of(values.get("rest", ""))
        elif part.startswith(":"):
            parts.append(str(values[part[1:]]))
        else:
            parts.append(part)
    return "/" + "/".join(parts)
