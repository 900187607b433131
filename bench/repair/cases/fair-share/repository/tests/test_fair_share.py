import unittest

from fair_share import can_share, closest_sum, reachable_sums, smallest_difference


class FairShareTest(unittest.TestCase):
    def test_sums_of_nothing(self):
        self.assertEqual(reachable_sums([]), {0})

    def test_sums_of_one(self):
        self.assertEqual(reachable_sums([5]), {0, 5})

    def test_sums_of_two(self):
        self.assertEqual(reachable_sums([2, 3]), {0, 2, 3, 5})

    def test_sums_of_equals(self):
        self.assertEqual(reachable_sums([4, 4]), {0, 4, 8})

    def test_sums_of_three(self):
        self.assertEqual(reachable_sums([1, 2, 8]), {0, 1, 2, 3, 8, 9, 10, 11})

    def test_fair(self):
        self.assertTrue(can_share([1, 5, 11, 5]))

    def test_not_fair(self):
        self.assertFalse(can_share([1, 2, 5]))

    def test_odd(self):
        self.assertFalse(can_share([1, 2]))

    def test_nothing_to_share(self):
        self.assertTrue(can_share([]))

    def test_difference(self):
        self.assertEqual(smallest_difference([1, 6, 11, 5]), 1)

    def test_difference_of_nothing(self):
        self.assertEqual(smallest_difference([]), 0)

    def test_closest_sum(self):
        self.assertEqual(closest_sum([5, 9, 14], 16), 14)

    def test_closest_sum_below_all(self):
        self.assertEqual(closest_sum([5, 9], 4), 0)
