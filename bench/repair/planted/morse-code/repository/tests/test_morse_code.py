import unittest

from morse_code import decode, duration, encode, readings


class MorseCodeTest(unittest.TestCase):
    def test_encodes(self):
        self.assertEqual(encode("Sos"), "... --- ...")

    def test_encodes_words(self):
        self.assertEqual(encode("ten men"), "- . -. / -- . -.")

    def test_leaves_out_what_is_unknown(self):
        self.assertEqual(encode("a-b !!"), ".- -...")

    def test_encodes_nothing(self):
        self.assertEqual(encode(""), "")

    def test_decodes(self):
        self.assertEqual(decode("... --- ..."), "sos")

    def test_decodes_words(self):
        self.assertEqual(decode("- . -. / -- . -."), "ten men")

    def test_decodes_what_is_unknown(self):
        self.assertEqual(decode(".. ------"), "i?")

    def test_duration_of_a_letter(self):
        self.assertEqual(duration(".-"), 5)

    def test_duration_of_a_word(self):
        self.assertEqual(duration("- ."), 7)

    def test_duration_of_two_words(self):
        self.assertEqual(duration(". / ."), 9)

    def test_readings(self):
        self.assertEqual(readings(".-"), ["a", "et"])
