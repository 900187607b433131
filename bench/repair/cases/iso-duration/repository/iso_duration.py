"""Durations as ISO 8601 writes them: P3DT4H30M."""

import re
from datetime import timedelta

PATTERN = re.compile(
    r"(?P<sign>-)?P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)S)?)?"
)


def parse_duration(text):
    """The time span of a text such as "PT1H30M"; years and months have no fixed length."""
    match = PATTERN.fullmatch(text)
    if match is None or not any(match.group(name) for name in match.groupdict() if name != "sign"):
        raise ValueError(f"{text!r} is no duration")

    def number(name):
        return int(match.group(name) or 0)

    span = timedelta(
        weeks=number("weeks"),
        days=number("days"),
        hours=number("hours"),
        minutes=number("minutes"),
        seconds=number("seconds"),
    )
    return -span if match.group("sign") else span


def format_duration(span):
    """The text of a time span in whole seconds."""
    if span < timedelta(0):
        return "-" + format_duration(-span)
    hours, rest = divmod(span.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    day = f"{span.days}D" if span.days else ""
    parts = ((hours, "H"), (minutes, "M"), (seconds, "S"))
    time = "".join(f"{value}{unit}" for value, unit in parts if value)
    if not day and not time:
        return "PT0S"
    return f"P{day}T{time}" if time else f"P{day}"
