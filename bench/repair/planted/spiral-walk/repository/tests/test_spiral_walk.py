import unittest

from spiral_walk import diagonals, magic_square, spiral, turned

GRID = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


class SpiralWalkTest(unittest.TestCase):
    def test_spiral(self):
        self.assertEqual(spiral(GRID), [1, 2, 3, 6, 9, 8, 7, 4, 5])

    def test_spiral_of_a_row(self):
        self.assertEqual(spiral([[1, 2, 3]]), [1, 2, 3])

    def test_spiral_of_a_column(self):
        self.assertEqual(spiral([[1], [2], [3]]), [1, 2, 3])

    def test_spiral_of_nothing(self):
        self.assertEqual(spiral([]), [])

    def test_turned(self):
        self.assertEqual(turned([[1, 2], [3, 4], [5, 6]]), [[5, 3, 1], [6, 4, 2]])

    def test_diagonals(self):
        self.assertEqual(diagonals(GRID), [[1], [2, 4], [3, 5, 7], [6, 8], [9]])

    def test_diagonals_of_nothing(self):
        self.assertEqual(diagonals([]), [])

    def test_magic_square(self):
        self.assertEqual(magic_square(3), [[8, 1, 6], [3, 5, 7], [4, 9, 2]])

    def test_sums_of_a_magic_square(self):
        square = magic_square(5)
        self.assertEqual({sum(row) for row in square}, {65})

    def test_an_even_size(self):
        with self.assertRaises(ValueError):
            magic_square(4)
