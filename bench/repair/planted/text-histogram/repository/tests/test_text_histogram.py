import unittest

from text_histogram import bars, bins, median, outliers, percentile


class TextHistogramTest(unittest.TestCase):
    def test_bins(self):
        self.assertEqual(bins([1, 4, 5, 12], 5), {0: 2, 5: 1, 10: 1})

    def test_an_empty_bin(self):
        self.assertEqual(bins([1, 12], 5), {0: 1, 5: 0, 10: 1})

    def test_no_bins(self):
        self.assertEqual(bins([], 5), {})

    def test_bars(self):
        self.assertEqual(bars({0: 2, 5: 1, 10: 0}, 4), ["   0 ####", "   5 ##", "  10"])

    def test_a_short_bar(self):
        self.assertEqual(bars({0: 100, 5: 1}, 4), ["   0 ####", "   5 #"])

    def test_percentile(self):
        self.assertEqual(percentile([15, 20, 35, 40, 50], 40), 20)

    def test_all_percent(self):
        self.assertEqual(percentile([3, 1, 2], 100), 3)

    def test_percentile_of_nothing(self):
        with self.assertRaises(ValueError):
            percentile([], 50)

    def test_median(self):
        self.assertEqual(median([9, 1, 5]), 5)

    def test_median_of_four(self):
        self.assertEqual(median([4, 1, 3, 2]), 2.5)

    def test_outliers(self):
        self.assertEqual(outliers([1, 2, 3, 20]), [20])
