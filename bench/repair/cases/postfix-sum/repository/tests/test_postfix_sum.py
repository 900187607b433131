import unittest

from postfix_sum import FormulaError, evaluate, is_formula


class PostfixSumTest(unittest.TestCase):
    def test_a_number(self):
        self.assertEqual(evaluate("42"), 42)

    def test_a_negative_number(self):
        self.assertEqual(evaluate("-3"), -3)

    def test_addition(self):
        self.assertEqual(evaluate("3 4 +"), 7)

    def test_subtraction(self):
        self.assertEqual(evaluate("10 4 -"), 6)

    def test_multiplication(self):
        self.assertEqual(evaluate("3 4 + 2 *"), 14)

    def test_division(self):
        self.assertEqual(evaluate("20 6 /"), 3)

    def test_power(self):
        self.assertEqual(evaluate("2 5 ^"), 32)

    def test_a_long_formula(self):
        self.assertEqual(evaluate("15 7 1 1 + - / 3 * 2 1 1 + + -"), 5)

    def test_nothing(self):
        with self.assertRaises(FormulaError):
            evaluate("")

    def test_too_many_values(self):
        with self.assertRaises(FormulaError):
            evaluate("1 2")

    def test_too_few_values(self):
        with self.assertRaises(FormulaError):
            evaluate("1 +")

    def test_no_number(self):
        with self.assertRaises(ValueError):
            evaluate("1 x +")

    def test_is_formula(self):
        self.assertEqual([is_formula(t) for t in ("1 2 +", "1", "1 2", "+ 1 2", "")], [True, True, False, False, False])
