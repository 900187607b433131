import unittest

from week_day import fridays_13, nth_weekday, weekday


class WeekDayTest(unittest.TestCase):
    def test_moon_landing(self):
        self.assertEqual(weekday(1969, 7, 20), "Sunday")

    def test_march(self):
        self.assertEqual(weekday(2024, 3, 1), "Friday")

    def test_december(self):
        self.assertEqual(weekday(1999, 12, 31), "Friday")

    def test_january(self):
        self.assertEqual(weekday(2000, 1, 1), "Saturday")

    def test_february(self):
        self.assertEqual(weekday(2023, 2, 14), "Tuesday")

    def test_leap_day(self):
        self.assertEqual(weekday(2024, 2, 29), "Thursday")

    def test_january_of_a_century(self):
        self.assertEqual(weekday(1900, 1, 1), "Monday")

    def test_fridays(self):
        self.assertEqual(fridays_13(2026), [2, 3, 11])

    def test_one_friday(self):
        self.assertEqual(fridays_13(2021), [8])

    def test_thanksgiving(self):
        self.assertEqual(nth_weekday(2024, 11, "Thursday", 4), 28)

    def test_first_day_itself(self):
        self.assertEqual(nth_weekday(2024, 4, "Monday", 1), 1)

    def test_presidents_day(self):
        self.assertEqual(nth_weekday(2025, 2, "Monday", 3), 17)

    def test_no_weekday(self):
        with self.assertRaises(ValueError):
            nth_weekday(2024, 4, "Moonday", 1)
