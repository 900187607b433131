import unittest

from mirror_text import complete, grow, is_palindrome, longest_palindrome


class MirrorTextTest(unittest.TestCase):
    def test_palindrome(self):
        self.assertTrue(is_palindrome("level"))

    def test_sentence(self):
        self.assertTrue(is_palindrome("A man, a plan, a canal: Panama!"))

    def test_no_palindrome(self):
        self.assertFalse(is_palindrome("levels"))

    def test_grow(self):
        self.assertEqual(grow("xabay", 2, 2), (1, 4))

    def test_longest_of_nothing(self):
        self.assertEqual(longest_palindrome(""), "")

    def test_longest_of_one(self):
        self.assertEqual(longest_palindrome("x"), "x")

    def test_longest_odd(self):
        self.assertEqual(longest_palindrome("xracecary"), "racecar")

    def test_longest_even(self):
        self.assertEqual(longest_palindrome("xabbay"), "abba")

    def test_longest_pair(self):
        self.assertEqual(longest_palindrome("aa"), "aa")

    def test_first_of_several(self):
        self.assertEqual(longest_palindrome("babad"), "bab")

    def test_at_the_end(self):
        self.assertEqual(longest_palindrome("cbbb"), "bbb")

    def test_complete(self):
        self.assertEqual(complete("abac"), "abacaba")

    def test_complete_already(self):
        self.assertEqual(complete("noon"), "noon")

    def test_complete_nothing(self):
        self.assertEqual(complete(""), "")
