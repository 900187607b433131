import unittest

from calculator import calculate, tokenize


class CalculatorTest(unittest.TestCase):
    def test_tokens(self):
        self.assertEqual(tokenize(" 12+(3 )"), ["12", "+", "(", "3", ")"])

    def test_strange_character(self):
        with self.assertRaises(SyntaxError):
            tokenize("1 & 2")

    def test_a_number(self):
        self.assertEqual(calculate("7"), 7)

    def test_a_sum(self):
        self.assertEqual(calculate("1 + 2 - 5"), -2)

    def test_from_left_to_right(self):
        self.assertEqual(calculate("10 - 4 - 3"), 3)

    def test_division_from_left_to_right(self):
        self.assertEqual(calculate("100 / 5 / 2"), 10)

    def test_product_before_sum(self):
        self.assertEqual(calculate("2 * 3 + 4"), 10)

    def test_sum_before_product(self):
        self.assertEqual(calculate("2 + 3 * 4"), 14)

    def test_products_on_both_sides(self):
        self.assertEqual(calculate("2 * 3 - 8 / 4 * 5"), -4)

    def test_brackets(self):
        self.assertEqual(calculate("2 * (3 + 4) * (1)"), 14)

    def test_minus(self):
        self.assertEqual(calculate("-(2 + 3) * --2"), -10)

    def test_open_bracket(self):
        with self.assertRaises(SyntaxError):
            calculate("(1 + 2")

    def test_too_much(self):
        with self.assertRaises(SyntaxError):
            calculate("1 2")

    def test_nothing(self):
        with self.assertRaises(SyntaxError):
            calculate("")
