# tuning
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

# tests
index_of([2, 4, 6], 2)  # 0
index_of([], 1)  # -1
index_of([2, 4, 6], 6)  # 2
[index_of([2, 4, 6], n) for n in (1, 3, 7)]  # [-1, -1, -1]
[integer_root(n) for n in (0, 1, 3, 4, 15, 16, 17)]  # [0, 1, 1, 2, 3, 4, 4]
[integer_root(n, 3) for n in (7, 8, 26, 27)]  # [1, 2, 2, 3]
# oracle
integer_root(num(-1, 120), pick(2, 3))
index_of(sorted(many(0, 8, lambda _: num(0, 12))), num(-1, 13))
# faults
# 3 wrong arithmetic operator: `+` ► `-`
# 16 wrong variable: `degree` ► `number`
# 20 missing statement: `index = first_true(0, len(values) - 1, lambda i: values[i] >= wanted)` ► ``
# 21 wrong boolean operator: `and` ► `or`
