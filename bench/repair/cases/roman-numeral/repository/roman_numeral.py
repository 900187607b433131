"""Roman numerals."""

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
PARTS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]  # fmt: skip


def to_roman(number):
    """The numeral of a number from 1 to 3999."""
    if not 1 <= number <= 3999:
        raise ValueError(f"{number} cannot be written")
    numeral = ""
    for value, signs in PARTS:
        while number >= value:
            numeral += signs
            number -= value
    return numeral


def add_up(numeral):
    """The value of the signs: one before a larger one counts against it."""
    values = [VALUES[sign] for sign in numeral]
    total = 0
    for value, following in zip(values, values[1:] + [0]):
        if value < following:
            total -= value
        else:
            total += value
    return total


def from_roman(numeral):
    """The number of a numeral in its regular form; small letters are fine."""
    signs = numeral.strip().upper()
    if not signs or any(sign not in VALUES for sign in signs):
        raise ValueError(f"{numeral!r} is no numeral")
    number = add_up(signs)
    if number > 3999 or to_roman(number) != signs:
        raise ValueError(f"{numeral!r} is not written as it should be")
    return number
