import unittest

from bracket_check import depth, first_fault, is_balanced


class BracketCheckTest(unittest.TestCase):
    def test_nothing(self):
        self.assertTrue(is_balanced(""))

    def test_a_pair(self):
        self.assertTrue(is_balanced("(a)"))

    def test_all_kinds(self):
        self.assertTrue(is_balanced("{[()]}()"))

    def test_wrong_order(self):
        self.assertEqual(first_fault("([)]"), 2)

    def test_closed_only(self):
        self.assertEqual(first_fault("a)"), 1)

    def test_opened_only(self):
        self.assertEqual(first_fault("a("), 1)

    def test_the_innermost_is_named(self):
        self.assertEqual(first_fault("(x [y"), 3)

    def test_the_one_left_is_named(self):
        self.assertEqual(first_fault("(a(b)"), 0)

    def test_not_balanced(self):
        self.assertFalse(is_balanced("[()"))

    def test_quotes(self):
        self.assertTrue(is_balanced("'(' + \")\""))

    def test_a_quote_in_quotes(self):
        self.assertTrue(is_balanced("\"it's (\""))

    def test_depth(self):
        self.assertEqual(depth("()((x))[()]"), 2)

    def test_depth_of_nothing(self):
        self.assertEqual(depth("x"), 0)

    def test_no_depth(self):
        with self.assertRaises(ValueError):
            depth("((")
