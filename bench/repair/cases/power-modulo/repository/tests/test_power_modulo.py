import unittest

from power_modulo import inverse, is_probable_prime, power_modulo


class PowerModuloTest(unittest.TestCase):
    def test_power_zero(self):
        self.assertEqual(power_modulo(5, 0, 7), 1)

    def test_power_one(self):
        self.assertEqual(power_modulo(5, 1, 7), 5)

    def test_square(self):
        self.assertEqual(power_modulo(5, 2, 7), 4)

    def test_third_power(self):
        self.assertEqual(power_modulo(2, 3, 100), 8)

    def test_tenth_power(self):
        self.assertEqual(power_modulo(2, 10, 1000), 24)

    def test_large(self):
        self.assertEqual(power_modulo(7, 560, 561), 1)

    def test_against_python(self):
        for exponent in range(40):
            self.assertEqual(power_modulo(3, exponent, 1009), pow(3, exponent, 1009))

    def test_modulus_one(self):
        self.assertEqual(power_modulo(3, 0, 1), 0)

    def test_negative_base(self):
        self.assertEqual(power_modulo(-2, 3, 5), 2)

    def test_no_negative_exponent(self):
        with self.assertRaises(ValueError):
            power_modulo(2, -1, 5)

    def test_inverse(self):
        self.assertEqual(inverse(3, 11), 4)

    def test_no_inverse(self):
        self.assertIsNone(inverse(6, 9))

    def test_probable_primes(self):
        found = [n for n in range(30) if is_probable_prime(n)]
        self.assertEqual(found, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29])
