"""Sharing things as fairly as can be."""


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
