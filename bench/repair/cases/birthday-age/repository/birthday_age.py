"""Ages and birthdays."""

from datetime import date


def is_leap(year):
    """True for a leap year."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def birthday_in(born, year):
    """The birthday in a year; who was born on a leap day celebrates on 1 March else."""
    if (born.month, born.day) == (2, 29) and not is_leap(year):
        return date(year, 3, 1)
    return born.replace(year=year)


def age_on(born, day):
    """Full years on a day."""
    if day < born:
        raise ValueError("not born yet")
    years = day.year - born.year
    return years if day >= birthday_in(born, day.year) else years - 1


def days_to_birthday(born, day):
    """Days until the next birthday; 0 on the day itself."""
    coming = birthday_in(born, day.year)
    if coming < day:
        coming = birthday_in(born, day.year + 1)
    return (coming - day).days
