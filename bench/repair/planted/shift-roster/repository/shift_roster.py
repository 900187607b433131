"""Who works when; a shift is (name, start, end) in hours from Monday, 0:00."""

REST = 11


def conflicts(shifts):
    """Pairs of shifts of one person that overlap or leave too little rest, in order."""
    ordered = sorted(shifts, key=lambda shift: (shift[0], shift[1], shift[2]))
    found = []
    for one, other in zip(ordered, ordered[1:]):
        if one[0] == other[0] and other[1] < one[2] + REST:
            found.append((one, other))
    return found


def hours_by_name(shifts):
    """The hours of each person; hours on Sunday count one and a half times."""
    hours = {}
    for name, start, end in shifts:
        sunday = max(0, min(end, 168) - max(start, 144))
        hours[name] = hours.get(name, 0) + (end - start) + sunday / 2
    return hours


def least_staffed(shifts, start, end):
    """The first hour with the fewest people on duty, and how many they are."""
    best = None
    for hour in range(start, end):
        count = sum(1 for _, begin, stop in shifts if begin <= hour < stop)
        if best is None or count < best[1]:
            best = (hour, count)
    return best


def assign(names, slots):
    """Gives each slot (start, end) to the person with the fewest hours who is rested; "" if there is nobody."""
    shifts = []
    free_from = {name: 0 for name in names}
    worked = {name: 0 for name in names}
    for start, end in slots:
        able = [name for name in names if free_from[name] <= start]
        name = min(able, key=lambda n: (worked[n], n), default="")
        if name:
            free_from[name] = end + REST
            worked[name] += end - start
        shifts.append((name, start, end))
    return shifts
