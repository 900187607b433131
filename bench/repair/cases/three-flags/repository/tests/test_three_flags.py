import unittest

from three_flags import partition, quick_sort


class ThreeFlagsTest(unittest.TestCase):
    def test_partition(self):
        values = [2, 0, 1, 2, 0]
        self.assertEqual(partition(values, 0, 5, 1), (2, 3))
        self.assertEqual(values, [0, 0, 1, 2, 2])

    def test_partition_all_above(self):
        values = [5, 6, 7]
        self.assertEqual(partition(values, 0, 3, 1), (0, 0))

    def test_partition_all_equal(self):
        self.assertEqual(partition([4, 4], 0, 2, 4), (0, 2))

    def test_partition_of_a_part(self):
        values = [9, 3, 1, 2, 0]
        self.assertEqual(partition(values, 1, 4, 2), (2, 3))
        self.assertEqual(values, [9, 1, 2, 3, 0])

    def test_partition_of_nothing(self):
        self.assertEqual(partition([], 0, 0, 1), (0, 0))

    def test_sort_nothing(self):
        self.assertEqual(quick_sort([]), [])

    def test_sort_one(self):
        self.assertEqual(quick_sort([1]), [1])

    def test_sort_ordered(self):
        self.assertEqual(quick_sort([1, 2, 3]), [1, 2, 3])

    def test_sort_backwards(self):
        self.assertEqual(quick_sort([5, 4, 3, 2, 1]), [1, 2, 3, 4, 5])

    def test_sort_equals(self):
        self.assertEqual(quick_sort([2, 3, 2, 1, 3, 2]), [1, 2, 2, 2, 3, 3])

    def test_sort_many(self):
        values = [(i * 53) % 97 for i in range(97)]
        self.assertEqual(quick_sort(values), list(range(97)))
