"""The cheapest order to multiply a chain of matrices."""

from functools import cache


def best_order(sizes):
    """
    (cost, order) for matrices of sizes[0] x sizes[1], sizes[1] x sizes[2] and so on.
    The cost counts products of numbers; the order is a text such as "(A(BC))".
    """

    @cache
    def solve(first, last):
        if first == last:
            return 0, chr(ord("A") + first)
        candidates = []
        for cut in range(first, last):
            left_cost, left = solve(first, cut)
            right_cost, right = solve(cut + 1, last)
            join = sizes[first] * sizes[cut + 1] * sizes[last + 1]
            candidates.append((left_cost + right_cost + join, f"({left}{right})"))
        return min(candidates, key=lambda candidate: candidate[0])

    if len(sizes) < 2:
        raise ValueError("a chain has at least one matrix")
    return solve(0, len(sizes) - 2)


def plain_cost(sizes):
    """What it costs from left to right."""
    return sum(sizes[0] * sizes[i] * sizes[i + 1] for i in range(1, len(sizes) - 1))
