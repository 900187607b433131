"""Checking that brackets are closed in the right order."""

PAIRS = {")": "(", "]": "[", "}": "{"}
QUOTES = "\"'"


def first_fault(text):
    """
    The index of the first bracket that is wrong, or of the innermost that is never closed;
    None when all is well. Brackets within quotes do not count.
    """
    opened = []
    quote = None
    for index, character in enumerate(text):
        if quote is not None:
            if character == quote:
                quote = None
        elif character in QUOTES:
            quote = character
        elif character in PAIRS.values():
            opened.append((character, index))
        elif character in PAIRS:
            if not opened or opened[-1][0] != PAIRS[character]:
                return index
            opened.pop()
    return opened[-1][1] if opened else None


def is_balanced(text):
    """True when every bracket is closed."""
    return first_fault(text) is None


def depth(text):
    """How deep the brackets of a balanced text go."""
    if not is_balanced(text):
        raise ValueError("the brackets are not balanced")
    level = deepest = 0
    for character in text:
        if character in PAIRS.values():
            level += 1
            deepest = max(deepest, level)
        elif character in PAIRS:
            level -= 1
    return deepest
