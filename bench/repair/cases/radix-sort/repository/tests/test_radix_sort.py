import unittest

from radix_sort import digit_at, radix_sort, sort_words


class RadixSortTest(unittest.TestCase):
    def test_lowest_digit(self):
        self.assertEqual(digit_at(4725, 0), 5)

    def test_highest_digit(self):
        self.assertEqual(digit_at(4725, 3), 4)

    def test_digit_beyond(self):
        self.assertEqual(digit_at(47, 5), 0)

    def test_binary_digit(self):
        self.assertEqual(digit_at(6, 1, 2), 1)

    def test_sort_nothing(self):
        self.assertEqual(radix_sort([]), [])

    def test_sort_zero(self):
        self.assertEqual(radix_sort([0]), [0])

    def test_sort_digits(self):
        self.assertEqual(radix_sort([3, 1, 2]), [1, 2, 3])

    def test_sort_mixed_lengths(self):
        self.assertEqual(radix_sort([170, 45, 75, 90, 802, 24, 2, 66]), [2, 24, 45, 66, 75, 90, 170, 802])

    def test_sort_powers(self):
        self.assertEqual(radix_sort([100, 10, 1, 1000]), [1, 10, 100, 1000])

    def test_sort_binary(self):
        self.assertEqual(radix_sort([5, 3, 8, 0], base=2), [0, 3, 5, 8])

    def test_no_negatives(self):
        with self.assertRaises(ValueError):
            radix_sort([1, -1])

    def test_words(self):
        self.assertEqual(sort_words(["cab", "abc", "bca", "aab"]), ["aab", "abc", "bca", "cab"])

    def test_no_words(self):
        self.assertEqual(sort_words([]), [])
