# held-out
def reachable_sums(values):
    """All sums that some of the values make, 0 with them; each value is used once at most."""
    sums = {0}
    for value in values:
        for known in list(sums):
            sums.add(known + value)
    return sums

def smallest_difference(values):
    """How far two shares of these values are apart at best."""
    total = sum(values)
    return min(abs(total - 2 * share) for share in reachable_sums(values))

def can_share(values):
    """True when two shares can be equal."""
    return sum(values) % 2 == 0 and sum(values) // 2 in reachable_sums(values)

def closest_sum(values, limit):
    """The largest sum of some values that is not above the limit."""
    return max(total for total in reachable_sums(values) if total <= limit)

# tests
can_share([1, 2])  # False
can_share([])  # True
smallest_difference([1, 6, 11, 5])  # 1
smallest_difference([])  # 0
closest_sum([5, 9, 14], 16)  # 14
closest_sum([5, 9], 4)  # 0
# oracle
values = lambda: many(0, 7, lambda _: num(1, 15))
reachable_sums(values())
smallest_difference(values())
can_share(values())
closest_sum(values(), num(0, 40))
# faults
# 5 missing call: `list(sums)` ► `sums`
# 11 missing statement: `total = sum(values)` ► ``
# 16 missing operand: `2 == 0 and sum` ► `sum`
# 20 wrong variable: `total <=` ► `limit <=`
