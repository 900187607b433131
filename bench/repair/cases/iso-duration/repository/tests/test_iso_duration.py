import unittest
from datetime import timedelta

from iso_duration import format_duration, parse_duration


class IsoDurationTest(unittest.TestCase):
    def test_days(self):
        self.assertEqual(parse_duration("P3D"), timedelta(days=3))

    def test_weeks(self):
        self.assertEqual(parse_duration("P2W"), timedelta(days=14))

    def test_hours(self):
        self.assertEqual(parse_duration("PT36H"), timedelta(hours=36))

    def test_minutes(self):
        self.assertEqual(parse_duration("PT5M"), timedelta(minutes=5))

    def test_seconds(self):
        self.assertEqual(parse_duration("PT10S"), timedelta(seconds=10))

    def test_all(self):
        expected = timedelta(days=1, hours=2, minutes=3, seconds=4)
        self.assertEqual(parse_duration("P1DT2H3M4S"), expected)

    def test_negative(self):
        self.assertEqual(parse_duration("-PT1H"), timedelta(hours=-1))

    def test_zero(self):
        self.assertEqual(parse_duration("PT0S"), timedelta(0))

    def test_nothing(self):
        for text in ("", "P", "PT", "P1DT", "1D", "P1H", "-P"):
            with self.assertRaises(ValueError):
                parse_duration(text)

    def test_no_months(self):
        with self.assertRaises(ValueError):
            parse_duration("P3M")

    def test_format(self):
        self.assertEqual(format_duration(timedelta(days=1, hours=2, seconds=5)), "P1DT2H5S")

    def test_format_days(self):
        self.assertEqual(format_duration(timedelta(days=7)), "P7D")

    def test_format_zero(self):
        self.assertEqual(format_duration(timedelta(0)), "PT0S")

    def test_format_negative(self):
        self.assertEqual(format_duration(timedelta(minutes=-90)), "-PT1H30M")
