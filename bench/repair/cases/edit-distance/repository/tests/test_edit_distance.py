import unittest

from edit_distance import closest, edit_distance, suggestion


class EditDistanceTest(unittest.TestCase):
    def test_the_same(self):
        self.assertEqual(edit_distance("tea", "tea"), 0)

    def test_nothing(self):
        self.assertEqual(edit_distance("", ""), 0)

    def test_to_nothing(self):
        self.assertEqual(edit_distance("abc", ""), 3)

    def test_from_nothing(self):
        self.assertEqual(edit_distance("", "ab"), 2)

    def test_put_in(self):
        self.assertEqual(edit_distance("cat", "cart"), 1)

    def test_take_out(self):
        self.assertEqual(edit_distance("cart", "cat"), 1)

    def test_replace(self):
        self.assertEqual(edit_distance("cat", "cut"), 1)

    def test_textbook(self):
        self.assertEqual(edit_distance("kitten", "sitting"), 3)

    def test_all_different(self):
        self.assertEqual(edit_distance("abc", "xyz"), 3)

    def test_closest(self):
        self.assertEqual(closest("staus", ["status", "stash", "log"]), ["status"])

    def test_closest_of_several(self):
        self.assertEqual(closest("bat", ["cat", "bar", "dog"]), ["bar", "cat"])

    def test_too_far(self):
        self.assertEqual(closest("abc", ["xyz"]), [])

    def test_no_words(self):
        self.assertEqual(closest("abc", []), [])

    def test_suggestion(self):
        self.assertEqual(suggestion("comit", ["commit", "push"]), "Did you mean commit?")

    def test_no_suggestion(self):
        self.assertEqual(suggestion("zzz", ["commit"]), "")
