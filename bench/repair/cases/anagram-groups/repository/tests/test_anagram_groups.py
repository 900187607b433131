import unittest

from anagram_groups import are_anagrams, group_anagrams, largest_group, letter_key


class AnagramGroupsTest(unittest.TestCase):
    def test_key(self):
        self.assertEqual(letter_key("banana"), "aaabnn")

    def test_key_of_nothing(self):
        self.assertEqual(letter_key(""), "")

    def test_key_without_marks(self):
        self.assertEqual(letter_key("b-a c!"), "abc")

    def test_anagrams(self):
        self.assertTrue(are_anagrams("listen", "silent"))

    def test_other_letters(self):
        self.assertFalse(are_anagrams("abc", "abd"))

    def test_other_counts(self):
        self.assertFalse(are_anagrams("aab", "abb"))

    def test_the_same_is_no_anagram(self):
        self.assertFalse(are_anagrams("tea", "tea"))

    def test_capitals(self):
        self.assertTrue(are_anagrams("Elvis", "Lives"))

    def test_a_sentence(self):
        self.assertTrue(are_anagrams("Dormitory", "dirty room"))

    def test_groups(self):
        words = ["tea", "tan", "eat", "bat", "ate", "nat"]
        self.assertEqual(group_anagrams(words), [["tea", "eat", "ate"], ["tan", "nat"]])

    def test_groups_with_capitals(self):
        self.assertEqual(group_anagrams(["Arc", "car", "x"]), [["Arc", "car"]])

    def test_no_groups(self):
        self.assertEqual(group_anagrams(["a", "b"]), [])

    def test_largest(self):
        self.assertEqual(largest_group(["ab", "cd", "dc", "ba", "dC"]), ["cd", "dc", "dC"])

    def test_no_largest(self):
        self.assertEqual(largest_group([]), [])
