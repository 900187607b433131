"""Income tax by bands, in whole euros."""

BANDS = [(0, 0), (10_000, 14), (25_000, 30), (60_000, 42)]


def marginal_rate(income):
    """The rate in percent of the next euro."""
    rate = 0
    for start, percent in BANDS:
        if income >= start:
            rate = percent
    return rate


def tax(income, children=0):
    """The tax of a year; each child frees a part of the income."""
    taxed = max(0, income - 3_000 * children)
    total = 0
    for i, (start, percent) in enumerate(BANDS):
        end = BANDS[i + 1][0] if i + 1 < len(BANDS) else taxed
        part = min(taxed, end) - start
        if part > 0:
            total += part * percent / 100
    return round(total)


def net(income, children=0):
    """What is left after tax and insurance."""
    insurance = min(income, 50_000) * 0.2
    return round(income - tax(income, children) - insurance)


def split_tax(one, other):
    """The tax of a couple: twice that of half of their income."""
    return 2 * tax((one + other) / 2)


def saving(one, other):
    """What a couple saves by being taxed together."""
    return tax(one) + tax(other) - split_tax(one, other)
