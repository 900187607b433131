import unittest

from shift_roster import assign, conflicts, hours_by_name, least_staffed


class ShiftRosterTest(unittest.TestCase):
    def test_no_conflict(self):
        self.assertEqual(conflicts([("ann", 8, 16), ("ann", 32, 40), ("bob", 9, 17)]), [])

    def test_too_little_rest(self):
        shifts = [("ann", 24, 30), ("ann", 8, 16)]
        self.assertEqual(conflicts(shifts), [(("ann", 8, 16), ("ann", 24, 30))])

    def test_hours(self):
        self.assertEqual(hours_by_name([("ann", 8, 16), ("bob", 9, 10), ("ann", 32, 34)]), {"ann": 10, "bob": 1})

    def test_hours_on_sunday(self):
        self.assertEqual(hours_by_name([("ann", 150, 154)]), {"ann": 6})

    def test_hours_until_sunday(self):
        self.assertEqual(hours_by_name([("ann", 140, 148)]), {"ann": 10})

    def test_least_staffed(self):
        shifts = [("ann", 8, 12), ("bob", 10, 14)]
        self.assertEqual(least_staffed(shifts, 8, 14), (8, 1))

    def test_nobody(self):
        self.assertEqual(least_staffed([("ann", 8, 10)], 8, 12), (10, 0))

    def test_no_hours(self):
        self.assertIsNone(least_staffed([], 3, 3))

    def test_assigns(self):
        slots = [(8, 16), (16, 24), (32, 36)]
        self.assertEqual(assign(["ann", "bob"], slots), [("ann", 8, 16), ("bob", 16, 24), ("ann", 32, 36)])

    def test_assigns_to_nobody(self):
        self.assertEqual(assign(["ann"], [(8, 16), (20, 24)]), [("ann", 8, 16), ("", 20, 24)])
