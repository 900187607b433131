"""Sorting whole numbers by counting them."""


def count_values(values, low, high):
    """How often each whole number from low to high is among the values."""
    counts = [0] * (high - low + 1)
    for value in values:
        counts[value - low] += 1
    return counts


def counting_sort(values):
    """A sorted list of whole numbers, in time of their count and their span."""
    if not values:
        return []
    low, high = min(values), max(values)
    ordered = []
    for offset, count in enumerate(count_values(values, low, high)):
        ordered.extend([low + offset] * count)
    return ordered


def most_common(values):
    """The value that comes most often; of several, the smallest. None for no values."""
    best, best_count = None, 0
    for value in counting_sort(values):
        count = values.count(value)
        if count > best_count:
            best, best_count = value, count
    return best
