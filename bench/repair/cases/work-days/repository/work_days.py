"""Counting working days."""

from datetime import date, timedelta

ONE_DAY = timedelta(days=1)


def is_workday(day, holidays=()):
    """True for Monday to Friday when it is no holiday."""
    return day.weekday() < 5 and day not in holidays


def add_workdays(start, count, holidays=()):
    """The day that comes so many working days after the start."""
    day = start
    while count > 0:
        day += ONE_DAY
        # ten years without a working day are a mistake in the calendar
        if day - start > timedelta(days=3653):
            raise ValueError("no working days")
        if is_workday(day, holidays):
            count -= 1
    return day


def count_workdays(start, end, holidays=()):
    """Working days from the start to the end, both counted."""
    days = (start + n * ONE_DAY for n in range((end - start).days + 1))
    return sum(1 for day in days if is_workday(day, holidays))


def week_of(day):
    """The Monday and the Sunday of a day's week."""
    monday = day - day.weekday() * ONE_DAY
    return monday, monday + 6 * ONE_DAY


CHRISTMAS = (date(2024, 12, 25), date(2024, 12, 26))
