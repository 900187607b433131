import unittest
from datetime import date

from weather_log import degree_days, fill_gaps, monthly_means, records, warm_spells


def log(*values, start=1):
    return {date(2024, 6, start + i): value for i, value in enumerate(values)}


class WeatherLogTest(unittest.TestCase):
    def test_a_spell(self):
        found = warm_spells(log(20, 31, 30, 33, 25), 30)
        self.assertEqual(found, [(date(2024, 6, 2), date(2024, 6, 4))])

    def test_a_longer_spell(self):
        found = warm_spells(log(31, 30, 33, 32), 30)
        self.assertEqual(found, [(date(2024, 6, 1), date(2024, 6, 4))])

    def test_a_short_spell(self):
        self.assertEqual(warm_spells(log(31, 30, 20, 32), 30), [])

    def test_two_spells(self):
        self.assertEqual(len(warm_spells(log(31, 30, 20, 32, 35), 30, 2)), 2)

    def test_means(self):
        days = {**log(20, 21, 21), date(2024, 7, 1): 30}
        self.assertEqual(monthly_means(days), {(2024, 6): 20.7, (2024, 7): 30.0})

    def test_records(self):
        self.assertEqual(records(log(20, 22, 21, 25)), [date(2024, 6, 2), date(2024, 6, 4)])

    def test_no_records(self):
        self.assertEqual(records(log(20, 20)), [])

    def test_fills_a_gap(self):
        filled = fill_gaps({**log(20), **log(24, start=3)})
        self.assertEqual(filled[date(2024, 6, 2)], 22)

    def test_does_not_fill_longer_gaps(self):
        self.assertEqual(len(fill_gaps({**log(20), **log(24, start=4)})), 2)

    def test_degree_days(self):
        self.assertEqual(degree_days(log(20, 15, 8)), 13)
