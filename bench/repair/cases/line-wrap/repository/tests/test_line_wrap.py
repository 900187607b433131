import unittest

from line_wrap import centre, quote, wrap


class LineWrapTest(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(wrap("", 5), [])

    def test_blanks(self):
        self.assertEqual(wrap("  \n ", 5), [])

    def test_one_line(self):
        self.assertEqual(wrap("red fox", 10), ["red fox"])

    def test_exactly_the_width(self):
        self.assertEqual(wrap("red fox", 7), ["red fox"])

    def test_one_less_than_needed(self):
        self.assertEqual(wrap("red fox", 6), ["red", "fox"])

    def test_several_lines(self):
        self.assertEqual(wrap("the quick brown fox jumps", 10), ["the quick", "brown fox", "jumps"])

    def test_blanks_are_joined(self):
        self.assertEqual(wrap("a   b\n\nc", 3), ["a b", "c"])

    def test_a_long_word_is_alone(self):
        self.assertEqual(wrap("an extraordinary day", 6), ["an", "extraordinary", "day"])

    def test_width_one(self):
        self.assertEqual(wrap("a b", 1), ["a", "b"])

    def test_no_width(self):
        with self.assertRaises(ValueError):
            wrap("a", 0)

    def test_centre(self):
        self.assertEqual(centre("one two", 5), [" one", " two"])

    def test_quote(self):
        self.assertEqual(quote("to be or not", 8), "> to be\n> or not")
