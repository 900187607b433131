# planted
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

# tests
marginal_rate(30_000)  # 30
net(20_000)  # 14_600
net(80_000)  # 49_000
split_tax(40_000, 0)  # 2_800
saving(40_000, 0)  # 3_800
saving(30_000, 30_000)  # 0
# oracle
income = lambda: pick(0, 9_999, 10_000, 10_001, 24_999, 25_000, 59_999, 60_000, num(0, 120_000))
marginal_rate(income())
tax(income(), num(0, 4))
net(income(), num(0, 4))
split_tax(income(), num(0, 90_000))
saving(income(), num(0, 90_000))
# faults
# 7 wrong negation: `income >= start` ► `not (income >= start)`
# 11 wrong variable: `income` ► `end`
# 18 wrong comparison operator: `>` ► `<=`
# 25 wrong arithmetic operator: `-` ► `*`
