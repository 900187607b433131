import unittest
from datetime import date

from easter_day import easter, feast, is_good_friday


class EasterDayTest(unittest.TestCase):
    def test_2024(self):
        self.assertEqual(easter(2024), date(2024, 3, 31))

    def test_2025(self):
        self.assertEqual(easter(2025), date(2025, 4, 20))

    def test_2000(self):
        self.assertEqual(easter(2000), date(2000, 4, 23))

    def test_1999(self):
        self.assertEqual(easter(1999), date(1999, 4, 4))

    def test_earliest(self):
        self.assertEqual(easter(1818), date(1818, 3, 22))

    def test_latest(self):
        self.assertEqual(easter(2038), date(2038, 4, 25))

    def test_the_exception_of_1954(self):
        self.assertEqual(easter(1954), date(1954, 4, 18))

    def test_the_exception_of_1981(self):
        self.assertEqual(easter(1981), date(1981, 4, 19))

    def test_always_a_sunday(self):
        for year in range(1900, 2100):
            self.assertEqual(easter(year).weekday(), 6)

    def test_good_friday(self):
        self.assertEqual(feast("Good Friday", 2024), date(2024, 3, 29))

    def test_pentecost(self):
        self.assertEqual(feast("Pentecost", 2025), date(2025, 6, 8))

    def test_unknown_feast(self):
        with self.assertRaises(KeyError):
            feast("Monday", 2024)

    def test_is_no_good_friday(self):
        self.assertFalse(is_good_friday(date(2024, 5, 1)))
