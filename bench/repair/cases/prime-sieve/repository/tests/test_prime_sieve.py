import unittest

from prime_sieve import goldbach, primes_below, twin_primes


class PrimeSieveTest(unittest.TestCase):
    def test_no_primes(self):
        self.assertEqual([primes_below(n) for n in (0, 1, 2)], [[], [], []])

    def test_negative_limit(self):
        self.assertEqual(primes_below(-5), [])

    def test_first(self):
        self.assertEqual(primes_below(3), [2])

    def test_below_eight(self):
        self.assertEqual(primes_below(8), [2, 3, 5, 7])

    def test_four_is_none(self):
        self.assertEqual(primes_below(5), [2, 3])

    def test_nine_is_none(self):
        self.assertEqual(primes_below(10), [2, 3, 5, 7])

    def test_limit_is_not_counted(self):
        self.assertEqual(primes_below(7), [2, 3, 5])

    def test_squares_are_none(self):
        self.assertEqual([n for n in (25, 49, 121) if n in primes_below(n + 1)], [])

    def test_how_many_below_1000(self):
        self.assertEqual(len(primes_below(1000)), 168)

    def test_twins(self):
        self.assertEqual(twin_primes(20), [(3, 5), (5, 7), (11, 13), (17, 19)])

    def test_goldbach(self):
        self.assertEqual([goldbach(n) for n in (4, 6, 28, 98)], [(2, 2), (3, 3), (5, 23), (19, 79)])

    def test_goldbach_needs_an_even_number(self):
        for number in (2, 9):
            with self.assertRaises(ValueError):
                goldbach(number)
