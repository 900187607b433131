"""Going from month to month."""

import calendar
from datetime import date


def last_day(year, month):
    """The number of the last day of a month."""
    return calendar.monthrange(year, month)[1]


def add_months(day, months):
    """The same day some months later or earlier; the last of a month that is too short."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, last_day(year, month)))


def due_dates(first, count):
    """The days on which monthly bills are due, counted from the first."""
    return [add_months(first, n) for n in range(count)]


def full_months(start, end):
    """How many whole months lie between two days; negative when the end is before."""
    if end < start:
        return -full_months(end, start)
    months = (end.year - start.year) * 12 + end.month - start.month
    return months if end.day >= start.day else months - 1
