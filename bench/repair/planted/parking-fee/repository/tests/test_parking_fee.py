import unittest

from parking_fee import change, day_fee, fee, hours_begun, night_fee


class ParkingFeeTest(unittest.TestCase):
    def test_hours(self):
        self.assertEqual(hours_begun(90), 2)

    def test_whole_hours(self):
        self.assertEqual(hours_begun(120), 2)

    def test_free(self):
        self.assertEqual(day_fee(10), 0)

    def test_part_of_a_day(self):
        self.assertEqual(day_fee(100), 400)

    def test_maximum(self):
        self.assertEqual(day_fee(700), 1_500)

    def test_some_hours(self):
        self.assertEqual(fee(200), 800)

    def test_a_day_and_an_hour(self):
        self.assertEqual(fee(25 * 60), 1_700)

    def test_two_days(self):
        self.assertEqual(fee(48 * 60), 3_000)

    def test_by_night(self):
        self.assertEqual(night_fee(21, 5), 500)

    def test_a_short_night(self):
        self.assertEqual(night_fee(21, 23), 400)

    def test_by_day(self):
        self.assertEqual(night_fee(9, 17), 1_500)

    def test_change(self):
        self.assertEqual(change(500, 220), [200, 50, 20, 10])

    def test_not_enough(self):
        with self.assertRaises(ValueError):
            change(100, 220)
