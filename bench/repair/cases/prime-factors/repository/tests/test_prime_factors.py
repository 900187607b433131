import unittest

from prime_factors import as_text, count_divisors, prime_factors


class PrimeFactorsTest(unittest.TestCase):
    def test_one(self):
        self.assertEqual(prime_factors(1), [])

    def test_two(self):
        self.assertEqual(prime_factors(2), [2])

    def test_three(self):
        self.assertEqual(prime_factors(3), [3])

    def test_six(self):
        self.assertEqual(prime_factors(6), [2, 3])

    def test_a_prime(self):
        self.assertEqual(prime_factors(97), [97])

    def test_a_square(self):
        self.assertEqual(prime_factors(49), [7, 7])

    def test_a_power_of_two(self):
        self.assertEqual(prime_factors(64), [2] * 6)

    def test_a_mixture(self):
        self.assertEqual(prime_factors(360), [2, 2, 2, 3, 3, 5])

    def test_a_large_factor(self):
        self.assertEqual(prime_factors(2 * 7919), [2, 7919])

    def test_zero(self):
        with self.assertRaises(ValueError):
            prime_factors(0)

    def test_product(self):
        for number in range(1, 300):
            product = 1
            for factor in prime_factors(number):
                product *= factor
            self.assertEqual(product, number)

    def test_divisors(self):
        self.assertEqual([count_divisors(n) for n in (1, 7, 12, 36)], [1, 2, 6, 9])

    def test_text(self):
        self.assertEqual([as_text(n) for n in (1, 13, 40)], ["1", "13", "2^3 * 5"])
