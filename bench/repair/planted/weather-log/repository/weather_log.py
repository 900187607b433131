"""Temperatures by day."""

from datetime import date, timedelta


def warm_spells(days, least, length=3):
    """(first, last) of each time with at least so many warm days in a row; days is {date: degrees}."""
    spells = []
    start = last = None
    for day in sorted(days):
        warm = days[day] >= least
        follows = last is not None and day - last == timedelta(days=1)
        if warm and not follows:
            start = day
        if warm:
            last = day
            if (last - start).days + 1 == length:
                spells.append((start, last))
            elif (last - start).days + 1 > length:
                spells[-1] = (start, last)
    return spells


def monthly_means(days):
    """The mean of each month, to one digit: {(year, month): degrees}."""
    groups = {}
    for day, degrees in days.items():
        groups.setdefault((day.year, day.month), []).append(degrees)
    return {month: round(sum(found) / len(found), 1) for month, found in sorted(groups.items())}


def records(days):
    """The days that were warmer than all before them, after the first one."""
    found = []
    highest = None
    for day in sorted(days):
        if highest is not None and days[day] > highest:
            found.append(day)
        highest = days[day] if highest is None else max(highest, days[day])
    return found


def fill_gaps(days):
    """The days with a value for each single missing one: the mean of its neighbours."""
    filled = dict(days)
    for day in days:
        gap, after = day + timedelta(days=1), day + timedelta(days=2)
        if gap not in days and after in days:
            filled[gap] = (days[day] + days[after]) / 2
    return filled


def degree_days(days, base=18):
    """The sum of degrees below a base."""
    return sum(base - degrees for degrees in days.values() if degrees < base)
