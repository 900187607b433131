import unittest

from matrix_chain import best_order, plain_cost


class MatrixChainTest(unittest.TestCase):
    def test_one_matrix(self):
        self.assertEqual(best_order([3, 4]), (0, "A"))

    def test_two_matrices(self):
        self.assertEqual(best_order([2, 3, 4]), (24, "(AB)"))

    def test_three_from_the_left(self):
        self.assertEqual(best_order([10, 30, 5, 60]), (4500, "((AB)C)"))

    def test_three_from_the_right(self):
        self.assertEqual(best_order([40, 20, 30, 10]), (14000, "(A(BC))"))

    def test_four(self):
        self.assertEqual(best_order([40, 20, 30, 10, 30]), (26000, "((A(BC))D)"))

    def test_six(self):
        self.assertEqual(best_order([30, 35, 15, 5, 10, 20, 25])[0], 15125)

    def test_of_equal_costs_the_first_cut(self):
        self.assertEqual(best_order([1, 1, 1, 1]), (2, "(A(BC))"))

    def test_no_matrix(self):
        with self.assertRaises(ValueError):
            best_order([3])

    def test_plain(self):
        self.assertEqual(plain_cost([10, 30, 5, 60]), 4500)

    def test_plain_of_one(self):
        self.assertEqual(plain_cost([3, 4]), 0)

    def test_plain_of_the_long_chain(self):
        self.assertEqual(plain_cost([40, 20, 30, 10]), 36000)
