"""Gains by buying low and selling high; prices by day."""


def best_single(prices):
    """The largest gain of one purchase and one later sale; 0 if there is none."""
    best = 0
    lowest = None
    for price in prices:
        if lowest is None or price < lowest:
            lowest = price
        best = max(best, price - lowest)
    return best


def best_many(prices, fee=0):
    """The largest gain of any number of trades, one after another; each sale costs a fee."""
    free, holding = 0, float("-inf")
    for price in prices:
        free, holding = max(free, holding + price - fee), max(holding, free - price)
    return free


def best_limited(prices, trades):
    """The largest gain of so many trades at most."""
    gains = [0] * len(prices)
    for _ in range(trades):
        best_before = float("-inf")
        now = []
        for day, price in enumerate(prices):
            sold = best_before + price
            now.append(max(gains[day], now[-1] if now else 0, sold))
            best_before = max(best_before, gains[day] - price)
        gains = now
    return gains[-1] if gains else 0


def longest_rise(prices):
    """The first and the last day of the longest time in which the price rises each day."""
    best = (0, 0)
    start = 0
    for day in range(1, len(prices)):
        if prices[day] <= prices[day - 1]:
            start = day
        if day - start > best[1] - best[0]:
            best = (start, day)
    return best


def drawdown(prices):
    """The largest loss from a peak in percent, rounded down."""
    worst = 0
    peak = 0
    for price in prices:
        peak = max(peak, price)
        worst = max(worst, (peak - price) * 100 // peak)
    return worst
