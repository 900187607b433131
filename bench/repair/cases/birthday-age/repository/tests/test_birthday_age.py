import unittest
from datetime import date

from birthday_age import age_on, birthday_in, days_to_birthday

BORN = date(1990, 6, 15)
LEAP = date(2000, 2, 29)


class BirthdayAgeTest(unittest.TestCase):
    def test_birthday(self):
        self.assertEqual(birthday_in(BORN, 2024), date(2024, 6, 15))

    def test_leap_birthday(self):
        self.assertEqual(birthday_in(LEAP, 2024), date(2024, 2, 29))

    def test_leap_birthday_in_a_common_year(self):
        self.assertEqual(birthday_in(LEAP, 2023), date(2023, 3, 1))

    def test_before_the_birthday(self):
        self.assertEqual(age_on(BORN, date(2024, 6, 14)), 33)

    def test_on_the_birthday(self):
        self.assertEqual(age_on(BORN, date(2024, 6, 15)), 34)

    def test_after_the_birthday(self):
        self.assertEqual(age_on(BORN, date(2024, 6, 16)), 34)

    def test_on_the_day_of_birth(self):
        self.assertEqual(age_on(BORN, BORN), 0)

    def test_end_of_the_year(self):
        self.assertEqual(age_on(BORN, date(1990, 12, 31)), 0)

    def test_leap_age(self):
        self.assertEqual(age_on(LEAP, date(2023, 2, 28)), 22)

    def test_not_born(self):
        with self.assertRaises(ValueError):
            age_on(BORN, date(1990, 6, 14))

    def test_days_to_birthday(self):
        self.assertEqual(days_to_birthday(BORN, date(2024, 6, 10)), 5)

    def test_birthday_today(self):
        self.assertEqual(days_to_birthday(BORN, date(2024, 6, 15)), 0)

    def test_birthday_was_yesterday(self):
        self.assertEqual(days_to_birthday(BORN, date(2023, 6, 16)), 365)
