import unittest

from sorted_insert import count_between, find_place, insert, insertion_sort


class SortedInsertTest(unittest.TestCase):
    def test_sorts_nothing(self):
        self.assertEqual(insertion_sort([]), [])

    def test_sorts_one(self):
        self.assertEqual(insertion_sort([3]), [3])

    def test_sorts_two(self):
        self.assertEqual(insertion_sort([3, 1]), [1, 3])

    def test_sorts_in_order(self):
        self.assertEqual(insertion_sort([1, 2, 3]), [1, 2, 3])

    def test_sorts_backwards(self):
        self.assertEqual(insertion_sort([3, 2, 1]), [1, 2, 3])

    def test_sorts_equals(self):
        self.assertEqual(insertion_sort([2, 1, 2, 1]), [1, 1, 2, 2])

    def test_place_in_nothing(self):
        self.assertEqual(find_place([], 5), 0)

    def test_place_behind_equals(self):
        self.assertEqual(find_place([1, 3, 3, 5], 3), 3)

    def test_insert(self):
        values = [1, 4, 9]
        self.assertEqual(insert(values, 5), 2)
        self.assertEqual(values, [1, 4, 5, 9])

    def test_insert_last(self):
        values = [1]
        self.assertEqual(insert(values, 2), 1)
        self.assertEqual(values, [1, 2])

    def test_count_between(self):
        self.assertEqual(count_between([1, 2, 2, 5, 9], 2, 5), 3)

    def test_count_between_nothing(self):
        self.assertEqual(count_between([1, 9], 2, 8), 0)
