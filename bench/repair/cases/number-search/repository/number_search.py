"""Searching for numbers by halving."""


def first_true(low, high, test):
    """The smallest whole number from low to high that passes; high + 1 when none does."""
    end = high + 1
    while low < end:
        middle = (low + end) // 2
        if test(middle):
            end = middle
        else:
            low = middle + 1
    return low


def integer_root(number, degree=2):
    """The largest whole number whose power is not above the number."""
    if number < 0:
        raise ValueError("no root of a negative number")
    return first_true(0, number, lambda root: root**degree > number) - 1


def index_of(values, wanted):
    """The first index of a value in a sorted list; -1 when it is not there."""
    index = first_true(0, len(values) - 1, lambda i: values[i] >= wanted)
    return index if index < len(values) and values[index] == wanted else -1
