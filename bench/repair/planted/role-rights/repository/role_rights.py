"""Rights of roles that may hold other roles; a right is "document:read", "document:*" or "*"."""


def all_roles(roles, start):
    """A role and those that it holds, each once, in the order in which they are found."""
    found = []
    waiting = [start]
    while waiting:
        name = waiting.pop(0)
        if name in found or name not in roles:
            continue
        found.append(name)
        waiting += roles[name].get("holds", [])
    return found


def grants(right, wanted):
    """True if a right covers another one."""
    if right == "*" or right == wanted:
        return True
    thing, _, action = right.partition(":")
    return action == "*" and wanted.split(":")[0] == thing


def may(roles, name, wanted):
    """True if a role may do something; what one of its roles denies is denied."""
    found = all_roles(roles, name)
    denied = [right for role in found for right in roles[role].get("denies", [])]
    if any(grants(right, wanted) for right in denied):
        return False
    return any(grants(right, wanted) for role in found for right in roles[role].get("may", []))


def who_may(roles, wanted):
    """The roles that may do something, sorted."""
    return sorted(name for name in roles if may(roles, name, wanted))


def has_cycle(roles):
    """True if a role holds itself, at once or through others."""
    for name in roles:
        for held in roles[name].get("holds", []):
            if name in all_roles(roles, held):
                return True
    return False
