import unittest
from datetime import date

from invoice import due_date, early_payment, line_total, reminder_level, tax_by_rate, total

MONDAY = date(2024, 3, 4)


class InvoiceTest(unittest.TestCase):
    def test_line(self):
        self.assertEqual(line_total(3, 250), 750)

    def test_line_with_discount(self):
        self.assertEqual(line_total(2, 999, 10), 1798)

    def test_tax(self):
        lines = [(1, 1000, "usual"), (2, 500, "reduced"), (1, 100, "usual")]
        self.assertEqual(tax_by_rate(lines), {"reduced": 70, "usual": 209})

    def test_total(self):
        self.assertEqual(total([(1, 1000, "usual"), (1, 500, "free")]), 1690)

    def test_total_of_nothing(self):
        self.assertEqual(total([]), 0)

    def test_due(self):
        self.assertEqual(due_date(MONDAY), date(2024, 3, 18))

    def test_due_on_a_weekend(self):
        self.assertEqual(due_date(MONDAY, 12), date(2024, 3, 18))

    def test_no_reminder(self):
        self.assertEqual(reminder_level(MONDAY, date(2024, 3, 10)), 0)

    def test_reminders(self):
        self.assertEqual(reminder_level(MONDAY, date(2024, 3, 20)), 1)
        self.assertEqual(reminder_level(MONDAY, date(2024, 4, 5)), 2)

    def test_last_reminder(self):
        self.assertEqual(reminder_level(MONDAY, date(2024, 9, 1)), 3)

    def test_pays_early(self):
        self.assertEqual(early_payment(1000, MONDAY, date(2024, 3, 6)), 980)

    def test_pays_late(self):
        self.assertEqual(early_payment(1000, MONDAY, date(2024, 3, 20)), 1000)
