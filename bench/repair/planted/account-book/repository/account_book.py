"""An account with an overdraft; amounts in cents."""


class Account:
    """Books amounts, and keeps what was booked."""

    def __init__(self, limit=0):
        self.balance = 0
        self.limit = limit
        self.entries = []

    def book(self, amount, text):
        """Books an amount, unless the account would be below its limit. True if it was booked."""
        if amount < 0 and self.balance + amount < -self.limit:
            return False
        self.balance += amount
        self.entries.append((text, amount, self.balance))
        return True

    def lowest(self):
        """The lowest balance so far; an account begins with nothing."""
        return min([0] + [balance for _, _, balance in self.entries])

    def sums(self):
        """What was booked by text, the largest amounts first."""
        found = {}
        for text, amount, _ in self.entries:
            found[text] = found.get(text, 0) + amount
        return sorted(found.items(), key=lambda item: (-abs(item[1]), item[0]))


def transfer(source, target, amount, fee=0):
    """Moves an amount; the source pays the fee. True if there was enough."""
    if amount <= 0:
        raise ValueError("an amount is needed")
    if not source.book(-(amount + fee), "transfer"):
        return False
    target.book(amount, "transfer")
    return True


def interest(balance, days, percent=3, overdraft_percent=12):
    """The interest of some days, below zero for a negative balance."""
    rate = percent if balance >= 0 else overdraft_percent
    return round(balance * rate * days / 36_500)
