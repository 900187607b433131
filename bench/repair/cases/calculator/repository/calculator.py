"""Sums with brackets, by recursive descent."""

import re

TOKEN = re.compile(r"\s*(\d+|[-+*/()])")


def tokenize(text):
    """The numbers and marks of a sum."""
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise SyntaxError(f"strange character at {at}")
        tokens.append(match.group(1))
        at = match.end()
    return tokens


class Parser:
    """Reads a list of tokens from the front."""

    def __init__(self, tokens):
        self.tokens = list(tokens)

    def take(self, *wanted):
        """The next token when it is one of those; else None and nothing is taken."""
        if self.tokens and self.tokens[0] in wanted:
            return self.tokens.pop(0)
        return None

    def parse_sum(self):
        value = self.parse_product()
        while mark := self.take("+", "-"):
            operand = self.parse_product()
            value = value + operand if mark == "+" else value - operand
        return value

    def parse_product(self):
        value = self.parse_factor()
        while mark := self.take("*", "/"):
            operand = self.parse_factor()
            value = value * operand if mark == "*" else value // operand
        return value

    def parse_factor(self):
        if self.take("-"):
            return -self.parse_factor()
        if self.take("("):
            value = self.parse_sum()
            if not self.take(")"):
                raise SyntaxError("a bracket is not closed")
            return value
        if not self.tokens or not self.tokens[0].isdigit():
            raise SyntaxError("a number is missing")
        return int(self.tokens.pop(0))


def calculate(text):
    """The value of a sum in whole numbers; division is rounded down."""
    parser = Parser(tokenize(text))
    value = parser.parse_sum()
    if parser.tokens:
        raise SyntaxError(f"{parser.tokens[0]} is too much")
    return value
