import unittest

from roman_numeral import add_up, from_roman, to_roman


class RomanNumeralTest(unittest.TestCase):
    def test_small_numbers(self):
        self.assertEqual([to_roman(n) for n in range(1, 6)], ["I", "II", "III", "IV", "V"])

    def test_a_year(self):
        self.assertEqual(to_roman(1994), "MCMXCIV")

    def test_the_largest(self):
        self.assertEqual(to_roman(3999), "MMMCMXCIX")

    def test_zero_cannot_be_written(self):
        with self.assertRaises(ValueError):
            to_roman(0)

    def test_4000_cannot_be_written(self):
        with self.assertRaises(ValueError):
            to_roman(4000)

    def test_one_sign(self):
        self.assertEqual(from_roman("V"), 5)

    def test_larger_signs_first(self):
        self.assertEqual(from_roman("XVI"), 16)

    def test_a_smaller_sign_first(self):
        self.assertEqual(from_roman("XCIV"), 94)

    def test_equal_signs(self):
        self.assertEqual(from_roman("III"), 3)

    def test_equal_signs_within(self):
        self.assertEqual(add_up("MCCXX"), 1220)

    def test_there_and_back(self):
        for number in range(1, 4000, 7):
            self.assertEqual(from_roman(to_roman(number)), number)

    def test_small_letters_and_blanks(self):
        self.assertEqual(from_roman(" xl "), 40)

    def test_not_regular(self):
        with self.assertRaises(ValueError):
            from_roman("IIII")

    def test_no_numeral(self):
        with self.assertRaises(ValueError):
            from_roman("ABC")
