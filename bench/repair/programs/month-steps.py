# tuning
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

# tests
add_months(date(2023, 5, 10), 1)  # date(2023, 6, 10)
add_months(date(2023, 1, 31), 1)  # date(2023, 2, 28)
add_months(date(2024, 2, 29), 12)  # date(2025, 2, 28)
add_months(date(2024, 3, 30), -1)  # date(2024, 2, 29)
full_months(date(2023, 1, 15), date(2023, 4, 14))  # 2
full_months(date(2023, 4, 15), date(2023, 1, 15))  # -3
# oracle
day = lambda: date.fromordinal(num(737060, 739260))
add_months(day(), num(-30, 30))
full_months(day(), day())
due_dates(day(), num(0, 6))
# faults
# 10 off by one: `12` ► `11`
# 12 missing call: `min(day.day, last_day(year, month))` ► `day.day`
# 20 wrong negation: `end < start` ► `not (end < start)`
# 21 swapped arguments: `end, start` ► `start, end`
