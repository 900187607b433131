import unittest

from code_lengths import canonical, count_symbols, decode, encode, lengths, saved


class CodeLengthsTest(unittest.TestCase):
    def test_counts(self):
        self.assertEqual(count_symbols("abca"), {"a": 2, "b": 1, "c": 1})

    def test_lengths(self):
        self.assertEqual(lengths({"a": 5, "b": 2, "c": 1, "d": 1}), {"a": 1, "b": 2, "c": 3, "d": 3})

    def test_one_symbol(self):
        self.assertEqual(lengths({"a": 5}), {"a": 1})

    def test_canonical(self):
        codes = canonical({"b": 2, "a": 1, "d": 3, "c": 3})
        self.assertEqual(codes, {"a": "0", "b": "10", "c": "110", "d": "111"})

    def test_encodes(self):
        self.assertEqual(encode("aab")[0], "001")

    def test_encodes_nothing(self):
        self.assertEqual(encode(""), ("", {}))

    def test_decodes(self):
        self.assertEqual(decode("0010", {"a": "0", "b": "10"}), "aab")

    def test_decodes_what_was_encoded(self):
        text = "the cat sat on the mat"
        self.assertEqual(decode(*encode(text)), text)

    def test_bits_left_over(self):
        with self.assertRaises(ValueError):
            decode("01", {"a": "0", "b": "10"})

    def test_saved(self):
        self.assertEqual(saved("aaaaaaab"), 87)
