"""The day of the week by Zeller's rule."""

NAMES = ["Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def weekday(year, month, day):
    """The name of the weekday of a day in the Gregorian calendar."""
    if month < 3:
        month += 12
        year -= 1
    century, rest = divmod(year, 100)
    shift = day + 13 * (month + 1) // 5 + rest + rest // 4 + century // 4 + 5 * century
    return NAMES[shift % 7]


def fridays_13(year):
    """The months of a year whose 13th is a Friday."""
    return [month for month in range(1, 13) if weekday(year, month, 13) == "Friday"]


def nth_weekday(year, month, name, n):
    """The day of a month that is its n-th Monday, Tuesday and so on; n counts from 1."""
    if name not in NAMES:
        raise ValueError(f"{name} is no weekday")
    first = NAMES.index(weekday(year, month, 1))
    return 1 + (NAMES.index(name) - first) % 7 + 7 * (n - 1)
