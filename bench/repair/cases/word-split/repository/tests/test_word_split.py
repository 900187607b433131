import unittest

from word_split import can_split, longest_compound, splits


class WordSplitTest(unittest.TestCase):
    def test_nothing_can_be_split(self):
        self.assertTrue(can_split("", ["a"]))

    def test_one_word(self):
        self.assertTrue(can_split("tea", ["tea"]))

    def test_two_words(self):
        self.assertTrue(can_split("teapot", ["tea", "pot"]))

    def test_a_word_twice(self):
        self.assertTrue(can_split("papa", ["pa"]))

    def test_a_rest(self):
        self.assertFalse(can_split("teapots", ["tea", "pot"]))

    def test_the_longer_word_is_wrong(self):
        self.assertTrue(can_split("cars", ["car", "ca", "rs"]))

    def test_no_words(self):
        self.assertFalse(can_split("a", []))

    def test_splits_of_nothing(self):
        self.assertEqual(splits("", ["a"]), [""])

    def test_splits(self):
        words = ["cat", "cats", "and", "sand", "dog"]
        self.assertEqual(splits("catsanddog", words), ["cat sand dog", "cats and dog"])

    def test_splits_one_word(self):
        self.assertEqual(splits("abc", ["abc"]), ["abc"])

    def test_splits_single_letters(self):
        self.assertEqual(splits("aab", ["a", "b", "aa"]), ["a a b", "aa b"])

    def test_no_split(self):
        self.assertEqual(splits("abc", ["ab"]), [])

    def test_longest_compound(self):
        self.assertEqual(longest_compound(["rain", "bow", "rainbow", "rainbows"]), "rainbow")

    def test_no_compound(self):
        self.assertIsNone(longest_compound(["a", "b"]))
