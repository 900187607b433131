import unittest
from datetime import date

from month_steps import add_months, due_dates, full_months, last_day


class MonthStepsTest(unittest.TestCase):
    def test_last_day(self):
        self.assertEqual([last_day(2023, m) for m in (1, 2, 4)], [31, 28, 30])

    def test_last_day_of_a_leap_year(self):
        self.assertEqual(last_day(2024, 2), 29)

    def test_next_month(self):
        self.assertEqual(add_months(date(2023, 5, 10), 1), date(2023, 6, 10))

    def test_next_year(self):
        self.assertEqual(add_months(date(2023, 11, 10), 3), date(2024, 2, 10))

    def test_back(self):
        self.assertEqual(add_months(date(2023, 1, 10), -1), date(2022, 12, 10))

    def test_no_step(self):
        self.assertEqual(add_months(date(2023, 1, 31), 0), date(2023, 1, 31))

    def test_to_december(self):
        self.assertEqual(add_months(date(2023, 1, 31), 11), date(2023, 12, 31))

    def test_a_shorter_month(self):
        self.assertEqual(add_months(date(2023, 1, 31), 1), date(2023, 2, 28))

    def test_a_leap_day(self):
        self.assertEqual(add_months(date(2024, 2, 29), 12), date(2025, 2, 28))

    def test_a_shorter_month_back(self):
        self.assertEqual(add_months(date(2024, 3, 30), -1), date(2024, 2, 29))

    def test_due_dates(self):
        expected = [date(2023, 12, 31), date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31)]
        self.assertEqual(due_dates(date(2023, 12, 31), 4), expected)

    def test_full_months(self):
        self.assertEqual(full_months(date(2023, 1, 15), date(2023, 4, 15)), 3)

    def test_not_quite_full(self):
        self.assertEqual(full_months(date(2023, 1, 15), date(2023, 4, 14)), 2)

    def test_full_months_back(self):
        self.assertEqual(full_months(date(2023, 4, 15), date(2023, 1, 15)), -3)
