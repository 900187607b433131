import unittest

from counting_sort import count_values, counting_sort, most_common


class CountingSortTest(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(counting_sort([]), [])

    def test_one_value(self):
        self.assertEqual(counting_sort([7]), [7])

    def test_two_values(self):
        self.assertEqual(counting_sort([2, 1]), [1, 2])

    def test_repeated(self):
        self.assertEqual(counting_sort([3, 1, 3, 2, 1]), [1, 1, 2, 3, 3])

    def test_negative(self):
        self.assertEqual(counting_sort([0, -3, 2, -1]), [-3, -1, 0, 2])

    def test_input_is_left_alone(self):
        values = [2, 1]
        counting_sort(values)
        self.assertEqual(values, [2, 1])

    def test_counts(self):
        self.assertEqual(count_values([2, 4, 2], 2, 4), [2, 0, 1])

    def test_counts_of_nothing(self):
        self.assertEqual(count_values([], 1, 3), [0, 0, 0])

    def test_most_common(self):
        self.assertEqual(most_common([5, 1, 5, 1, 2]), 1)

    def test_most_common_of_one_kind(self):
        self.assertEqual(most_common([4, 4]), 4)

    def test_most_common_of_nothing(self):
        self.assertIsNone(most_common([]))
