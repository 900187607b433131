import unittest

from word_guess import best_guess, marks, play, points, possible

WORDS = ["tone", "note", "cone", "bone", "nose"]


class WordGuessTest(unittest.TestCase):
    def test_right(self):
        self.assertEqual(marks("tone", "tone"), "====")

    def test_other_places(self):
        self.assertEqual(marks("tone", "note"), "+=+=")

    def test_a_letter_counts_once(self):
        self.assertEqual(marks("abcd", "eeaa"), "--+-")

    def test_no_letter(self):
        self.assertEqual(marks("abcd", "efgh"), "----")

    def test_possible(self):
        self.assertEqual(possible(WORDS, [("tone", "-===")]), ["cone", "bone"])

    def test_all_are_possible(self):
        self.assertEqual(possible(WORDS, []), WORDS)

    def test_best(self):
        self.assertEqual(best_guess(["ab", "cd", "ad"]), "ab")

    def test_best_of_nothing(self):
        self.assertIsNone(best_guess([]))

    def test_plays(self):
        self.assertEqual(play("bone", WORDS)[-1], "bone")

    def test_points(self):
        self.assertEqual(points(["tone", "bone"], "bone"), 5)

    def test_no_points(self):
        self.assertEqual(points(["tone", "cone"], "bone"), 0)
