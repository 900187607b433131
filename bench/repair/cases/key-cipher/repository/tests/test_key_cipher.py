import unittest

from key_cipher import decrypt, encrypt, shift


class KeyCipherTest(unittest.TestCase):
    def test_shift(self):
        self.assertEqual(shift("a", 3), "d")

    def test_shift_round_the_end(self):
        self.assertEqual(shift("y", 3), "b")

    def test_shift_back(self):
        self.assertEqual(shift("B", -3), "Y")

    def test_textbook(self):
        self.assertEqual(encrypt("attackatdawn", "lemon"), "lxfopvefrnhr")

    def test_textbook_back(self):
        self.assertEqual(decrypt("lxfopvefrnhr", "lemon"), "attackatdawn")

    def test_key_a_changes_nothing(self):
        self.assertEqual(encrypt("Hello", "a"), "Hello")

    def test_one_letter_key(self):
        self.assertEqual(encrypt("a b c", "b"), "b c d")

    def test_capitals_stay(self):
        self.assertEqual(encrypt("AbC", "abc"), "AcE")

    def test_blanks_use_up_no_key(self):
        self.assertEqual(encrypt("attack at dawn", "lemon"), "lxfopv ef rnhr")

    def test_marks_use_up_no_key(self):
        self.assertEqual(decrypt("B, D! f?", "bcd"), "A, B! c?")

    def test_nothing(self):
        self.assertEqual(encrypt("", "key"), "")

    def test_empty_key(self):
        with self.assertRaises(ValueError):
            encrypt("a", "")

    def test_key_of_capitals(self):
        with self.assertRaises(ValueError):
            encrypt("a", "Key")

    def test_there_and_back(self):
        text = "The quick brown fox; 3 lazy dogs."
        self.assertEqual(decrypt(encrypt(text, "secret"), "secret"), text)
