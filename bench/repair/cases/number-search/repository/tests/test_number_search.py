import unittest

from number_search import first_true, index_of, integer_root


class NumberSearchTest(unittest.TestCase):
    def test_all_pass(self):
        self.assertEqual(first_true(3, 9, lambda n: True), 3)

    def test_an_empty_range(self):
        self.assertEqual(first_true(5, 4, lambda n: True), 5)

    def test_first_of_a_list(self):
        self.assertEqual(index_of([2, 4, 6], 2), 0)

    def test_in_nothing(self):
        self.assertEqual(index_of([], 1), -1)

    def test_none_passes(self):
        self.assertEqual(first_true(3, 9, lambda n: False), 10)

    def test_some_pass(self):
        self.assertEqual([first_true(0, 9, lambda n: n >= k) for k in range(10)], list(range(10)))

    def test_last_of_a_list(self):
        self.assertEqual(index_of([2, 4, 6], 6), 2)

    def test_first_of_equals(self):
        self.assertEqual(index_of([1, 5, 5, 5, 9], 5), 1)

    def test_not_in_the_list(self):
        self.assertEqual([index_of([2, 4, 6], n) for n in (1, 3, 7)], [-1, -1, -1])

    def test_roots(self):
        self.assertEqual([integer_root(n) for n in (0, 1, 3, 4, 15, 16, 17)], [0, 1, 1, 2, 3, 4, 4])

    def test_cubic_roots(self):
        self.assertEqual([integer_root(n, 3) for n in (7, 8, 26, 27)], [1, 2, 2, 3])

    def test_negative_root(self):
        with self.assertRaises(ValueError):
            integer_root(-1)
