import unittest

from grade_book import curve, final, improved, letter, mean, report


class GradeBookTest(unittest.TestCase):
    def test_letter(self):
        self.assertEqual(letter(85), "B")

    def test_last_letter(self):
        self.assertEqual(letter(12), "F")

    def test_mean(self):
        self.assertEqual(mean([70, 80, 90]), 80)

    def test_mean_without_the_lowest(self):
        self.assertEqual(mean([90, 10, 80], 1), 85)

    def test_mean_of_nothing(self):
        self.assertEqual(mean([]), 0)

    def test_final(self):
        self.assertEqual(final([80, 90], [70]), 76.0)

    def test_final_without_the_lowest(self):
        self.assertEqual(final([0, 80, 80, 80], [80]), 80.0)

    def test_curve(self):
        self.assertEqual(curve([50, 90, 70]), [60, 100, 80])

    def test_report(self):
        students = [("bob", [70], [70]), ("ann", [95], [95]), ("cid", [70], [70])]
        rows = [("ann", 95.0, "A"), ("bob", 70.0, "C"), ("cid", 70.0, "C")]
        self.assertEqual(report(students), rows)

    def test_improved(self):
        self.assertEqual(improved([50, 60, 55, 70]), 2)

    def test_not_improved(self):
        self.assertEqual(improved([50]), 0)
