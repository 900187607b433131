import unittest

from check_digit import card_check_digit, isbn_check_digit, is_card_number, luhn_sum


class CheckDigitTest(unittest.TestCase):
    def test_sum_without_doubling(self):
        self.assertEqual(luhn_sum([7]), 7)

    def test_sum_of_small_digits(self):
        self.assertEqual(luhn_sum([1, 2, 3, 4]), 2 + 2 + 6 + 4)

    def test_sum_of_large_digits(self):
        self.assertEqual(luhn_sum([9, 5, 8]), 9 + 1 + 8)

    def test_doubled_nine(self):
        self.assertEqual(luhn_sum([9, 0]), 9)

    def test_textbook(self):
        self.assertTrue(is_card_number("4539 3195 0343 6467"))

    def test_wrong_digit(self):
        self.assertFalse(is_card_number("4539 3195 0343 6476"))

    def test_zeros(self):
        self.assertTrue(is_card_number("0000"))

    def test_too_short(self):
        self.assertFalse(is_card_number("0"))

    def test_no_digits(self):
        self.assertFalse(is_card_number("12a4"))

    def test_card_check_digit(self):
        self.assertEqual(card_check_digit("7992739871"), 3)

    def test_every_number_gets_its_digit(self):
        for number in range(0, 1000, 7):
            text = f"{number:04}"
            self.assertTrue(is_card_number(f"{text}{card_check_digit(text)}"))

    def test_isbn(self):
        self.assertEqual(isbn_check_digit("030640615"), "2")

    def test_isbn_x(self):
        self.assertEqual(isbn_check_digit("080442957"), "X")
