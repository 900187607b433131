"""What paths have in common."""


def parts_of(path):
    """The parts of a path; empty ones and "." are left out, ".." takes one back."""
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return parts


def common_path(paths):
    """The folder that holds all of the paths; empty when there is none."""
    common = []
    for level in zip(*map(parts_of, paths)):
        if len(set(level)) > 1:
            break
        common.append(level[0])
    return "/".join(common)


def relative(path, start):
    """The way from a folder to a path, with ".." for each folder to leave."""
    target, origin = parts_of(path), parts_of(start)
    shared = 0
    while shared < min(len(target), len(origin)) and target[shared] == origin[shared]:
        shared += 1
    return "/".join([".."] * (len(origin) - shared) + target[shared:]) or "."
