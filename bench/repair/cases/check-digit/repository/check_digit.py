"""Check digits of card numbers (Luhn) and of books (ISBN-10)."""


def luhn_sum(digits):
    """The weighted sum of the digits: every second one from the right is doubled."""
    total = 0
    for position, digit in enumerate(reversed(digits)):
        if position % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total


def is_card_number(text):
    """True when the number holds together; blanks between digits are fine."""
    compact = text.replace(" ", "")
    if len(compact) < 2 or not (compact.isascii() and compact.isdigit()):
        return False
    return luhn_sum([int(c) for c in compact]) % 10 == 0


def card_check_digit(text):
    """The digit to put behind a number so that it holds together."""
    digits = [int(c) for c in text] + [0]
    return -luhn_sum(digits) % 10


def isbn_check_digit(text):
    """The last character of an ISBN-10 from its first nine digits: 0 to 9 or X."""
    total = sum(weight * int(c) for weight, c in zip(range(10, 1, -1), text))
    return "0123456789X"[-total % 11]
