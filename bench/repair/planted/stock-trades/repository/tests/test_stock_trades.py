import unittest

from stock_trades import best_limited, best_many, best_single, drawdown, longest_rise

PRICES = [7, 1, 5, 3, 6, 4]


class StockTradesTest(unittest.TestCase):
    def test_single(self):
        self.assertEqual(best_single(PRICES), 5)

    def test_no_gain(self):
        self.assertEqual(best_single([5, 4, 3]), 0)

    def test_many(self):
        self.assertEqual(best_many(PRICES), 7)

    def test_many_with_a_fee(self):
        self.assertEqual(best_many([1, 3, 2, 8, 4, 9], 2), 8)

    def test_limited(self):
        self.assertEqual(best_limited([3, 2, 6, 5, 0, 3], 2), 7)

    def test_one_trade(self):
        self.assertEqual(best_limited(PRICES, 1), 5)

    def test_no_days(self):
        self.assertEqual(best_limited([], 2), 0)

    def test_rise(self):
        self.assertEqual(longest_rise([3, 1, 2, 4, 4, 5]), (1, 3))

    def test_no_rise(self):
        self.assertEqual(longest_rise([3, 2]), (0, 0))

    def test_drawdown(self):
        self.assertEqual(drawdown([10, 20, 15, 18, 5]), 75)

    def test_no_drawdown(self):
        self.assertEqual(drawdown([1, 2, 3]), 0)
