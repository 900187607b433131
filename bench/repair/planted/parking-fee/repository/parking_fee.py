"""The fee of a car park, in cents."""

FREE_MINUTES = 15
HOUR = 200
DAY_MAXIMUM = 1_500
NIGHT = 500


def hours_begun(minutes):
    """The hours that have begun in so many minutes."""
    return -(-minutes // 60)


def day_fee(minutes):
    """The fee for a part of a day."""
    if minutes <= FREE_MINUTES:
        return 0
    return min(hours_begun(minutes) * HOUR, DAY_MAXIMUM)


def fee(minutes):
    """The fee for any time; each whole day costs the maximum."""
    days, rest = divmod(minutes, 24 * 60)
    if days == 0:
        return day_fee(rest)
    return days * DAY_MAXIMUM + min(hours_begun(rest) * HOUR, DAY_MAXIMUM)


def night_fee(start, end):
    """The fee between two hours of a day: from 20 to 6 it is a flat one, if it is cheaper."""
    usual = day_fee((end - start) % 24 * 60)
    at_night = start >= 20 and (end <= 6 or end > start)
    return min(usual, NIGHT) if at_night else usual


def change(paid, due, coins=(200, 100, 50, 20, 10)):
    """The coins that are given back."""
    if paid < due:
        raise ValueError("not enough")
    rest = paid - due
    back = []
    for coin in coins:
        while rest >= coin:
            back.append(coin)
            rest -= coin
    return back
