"""Invoices; prices in cents, before tax."""

from datetime import date, timedelta

RATES = {"usual": 19, "reduced": 7, "free": 0}


def line_total(count, price, discount=0):
    """The price of a line with a discount in percent."""
    return round(count * price * (100 - discount) / 100)


def tax_by_rate(lines):
    """The tax for each rate, of the sum of its lines; a line is (count, price, rate name)."""
    sums = {}
    for count, price, rate in lines:
        sums[rate] = sums.get(rate, 0) + line_total(count, price)
    return {rate: round(total * RATES[rate] / 100) for rate, total in sorted(sums.items())}


def total(lines):
    """What is to pay, with tax."""
    goods = sum(line_total(count, price) for count, price, _ in lines)
    return goods + sum(tax_by_rate(lines).values())


def due_date(issued, days=14):
    """The day on which it is due; a weekend is put off to Monday."""
    day = issued + timedelta(days=days)
    if day.weekday() >= 5:
        day += timedelta(days=7 - day.weekday())
    return day


def reminder_level(issued, today):
    """0 before it is due, then 1, and one more for each two weeks, but no more than 3."""
    late = (today - due_date(issued)).days
    if late <= 0:
        return 0
    return min(3, 1 + late // 14)


def early_payment(amount, issued, paid):
    """What is to pay: two percent less within a week."""
    in_time = (paid - issued).days <= 7
    return amount - round(amount * 2 / 100) if in_time else amount
