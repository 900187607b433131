# tuning
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

# tests
weekday(2000, 1, 1)  # "Saturday"
fridays_13(2026)  # [2, 3, 11]
fridays_13(2021)  # [8]
nth_weekday(2024, 11, "Thursday", 4)  # 28
nth_weekday(2024, 4, "Monday", 1)  # 1
nth_weekday(2025, 2, "Monday", 3)  # 17
# oracle
weekday(num(1600, 2400), num(1, 12), num(1, 28))
nth_weekday(num(1900, 2100), num(1, 12), pick("Monday", "Sunday", "Friday"), num(1, 4))
fridays_13(num(1990, 2030))
# faults
# 7 missing statement: `year -= 1` ► ``
# 14 swapped arguments: `1, 13` ► `13, 1`
# 16 wrong variable: `name` ► `first`
# 21 missing call: `NAMES.index(name)` ► `name`
