import unittest

from tax_bands import marginal_rate, net, saving, split_tax, tax


class TaxBandsTest(unittest.TestCase):
    def test_no_tax(self):
        self.assertEqual(tax(8_000), 0)

    def test_first_band(self):
        self.assertEqual(tax(20_000), 1_400)

    def test_all_bands(self):
        self.assertEqual(tax(80_000), 21_000)

    def test_children(self):
        self.assertEqual(tax(20_000, 2), 560)

    def test_many_children(self):
        self.assertEqual(tax(5_000, 3), 0)

    def test_marginal_rate(self):
        self.assertEqual(marginal_rate(30_000), 30)

    def test_marginal_rate_at_the_start(self):
        self.assertEqual(marginal_rate(0), 0)

    def test_net(self):
        self.assertEqual(net(20_000), 14_600)

    def test_net_of_much(self):
        self.assertEqual(net(80_000), 49_000)

    def test_a_couple(self):
        self.assertEqual(split_tax(40_000, 0), 2_800)

    def test_saving(self):
        self.assertEqual(saving(40_000, 0), 3_800)

    def test_no_saving(self):
        self.assertEqual(saving(30_000, 30_000), 0)
