"""Sorting by digits, lowest first."""


def digit_at(value, place, base=10):
    """The digit of a number at a place; place 0 is the lowest."""
    return value // base**place % base


def radix_sort(values, base=10):
    """A sorted list of whole numbers that are not negative."""
    if any(value < 0 for value in values):
        raise ValueError("negative numbers have no digits here")
    ordered = list(values)
    place = 0
    while ordered and base**place <= max(ordered):
        buckets = [[] for _ in range(base)]
        for value in ordered:
            buckets[digit_at(value, place, base)].append(value)
        ordered = [value for bucket in buckets for value in bucket]
        place += 1
    return ordered


def sort_words(words):
    """Words of equal length in alphabetical order, letter by letter from the end."""
    ordered = list(words)
    for place in reversed(range(len(ordered[0]) if ordered else 0)):
        ordered.sort(key=lambda word: word[place])
    return ordered
