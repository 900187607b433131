"""A calculator for reverse Polish notation."""

import operator

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "^": operator.pow,
}


class FormulaError(ValueError):
    """The formula has too much or too little."""


def evaluate(formula):
    """The value of a formula such as "3 4 + 2 *"; division is rounded down."""
    stack = []
    for token in formula.split():
        if token in OPERATORS:
            if len(stack) < 2:
                raise FormulaError(f"{token} needs two operands")
            right = stack.pop()
            left = stack.pop()
            stack.append(OPERATORS[token](left, right))
        else:
            stack.append(int(token))
    if len(stack) != 1:
        raise FormulaError(f"{len(stack)} values are left")
    return stack[0]


def is_formula(text):
    """True when the text can be evaluated, but for its numbers."""
    depth = 0
    for token in text.split():
        depth += -1 if token in OPERATORS else 1
        if depth < 1:
            return False
    return depth == 1
