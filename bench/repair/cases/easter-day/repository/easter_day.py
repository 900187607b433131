"""Easter and the days that hang on it."""

from datetime import date, timedelta

OFFSETS = {
    "Ash Wednesday": -46,
    "Good Friday": -2,
    "Ascension": 39,
    "Pentecost": 49,
}


def easter(year):
    """Easter Sunday in the Gregorian calendar (the anonymous algorithm of 1876)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    skipped = century // 4
    moons = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - skipped - moons + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def feast(name, year):
    """The day of a movable feast."""
    if name not in OFFSETS:
        raise KeyError(name)
    return easter(year) + timedelta(days=OFFSETS[name])


def is_good_friday(day):
    """True when a day is the Friday before Easter."""
    return day == feast("Good Friday", day.year)
