"""A list that is kept in order."""


def find_place(values, value):
    """The index behind all values that are not larger (binary search)."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


def insertion_sort(values):
    """A sorted copy by insertion; stable, few steps for lists that are nearly in order."""
    ordered = []
    for value in values:
        place = len(ordered)
        while place > 0 and ordered[place - 1] > value:
            place -= 1
        ordered.insert(place, value)
    return ordered


def insert(values, value):
    """Puts a value into a sorted list, in place; gives the index."""
    place = find_place(values, value)
    values.insert(place, value)
    return place


def count_between(values, low, high):
    """How many values v of a sorted list of whole numbers have low <= v <= high."""
    return find_place(values, high) - find_place(values, low - 1)
