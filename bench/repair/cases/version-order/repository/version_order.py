"""Versions such as 1.4.0-rc.2, compared as Semantic Versioning says."""

import re

PATTERN = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?")


def parse_version(text):
    """(major, minor, patch, label); the label is a list of parts, empty for a release."""
    match = PATTERN.fullmatch(text.removeprefix("v"))
    if match is None:
        raise ValueError(f"{text!r} is no version")
    major, minor, patch, label = match.groups()
    parts = [] if label is None else label.split(".")
    return int(major), int(minor), int(patch), parts


def part_key(part):
    """Numbers come before words and are compared by value."""
    return (0, int(part), "") if part.isdigit() else (1, 0, part)


def version_key(text):
    """A key to sort versions by; a release comes after its own pre-releases."""
    major, minor, patch, label = parse_version(text)
    return (major, minor, patch, not label, [part_key(p) for p in label])


def newest(versions, allow_labels=False):
    """The newest of the versions; None when there is none."""
    candidates = [v for v in versions if allow_labels or not parse_version(v)[3]]
    return max(candidates, key=version_key, default=None)
