import unittest
from datetime import date

from work_days import CHRISTMAS, add_workdays, count_workdays, is_workday, week_of


class WorkDaysTest(unittest.TestCase):
    def test_monday(self):
        self.assertTrue(is_workday(date(2024, 5, 6)))

    def test_friday(self):
        self.assertTrue(is_workday(date(2024, 5, 10)))

    def test_saturday(self):
        self.assertFalse(is_workday(date(2024, 5, 11)))

    def test_holiday(self):
        self.assertFalse(is_workday(date(2024, 12, 25), CHRISTMAS))

    def test_none_added(self):
        self.assertEqual(add_workdays(date(2024, 5, 4), 0), date(2024, 5, 4))

    def test_over_the_weekend(self):
        self.assertEqual(add_workdays(date(2024, 5, 10), 1), date(2024, 5, 13))

    def test_over_christmas(self):
        self.assertEqual(add_workdays(date(2024, 12, 24), 2, CHRISTMAS), date(2024, 12, 30))

    def test_two_weeks(self):
        self.assertEqual(add_workdays(date(2024, 5, 1), 10), date(2024, 5, 15))

    def test_count_a_week(self):
        self.assertEqual(count_workdays(date(2024, 5, 6), date(2024, 5, 12)), 5)

    def test_count_a_day(self):
        self.assertEqual(count_workdays(date(2024, 5, 6), date(2024, 5, 6)), 1)

    def test_count_a_weekend(self):
        self.assertEqual(count_workdays(date(2024, 5, 11), date(2024, 5, 12)), 0)

    def test_count_over_christmas(self):
        self.assertEqual(count_workdays(date(2024, 12, 23), date(2024, 12, 31), CHRISTMAS), 5)

    def test_week(self):
        self.assertEqual(week_of(date(2024, 5, 9)), (date(2024, 5, 6), date(2024, 5, 12)))

    def test_week_of_a_sunday(self):
        self.assertEqual(week_of(date(2024, 5, 12)), (date(2024, 5, 6), date(2024, 5, 12)))
