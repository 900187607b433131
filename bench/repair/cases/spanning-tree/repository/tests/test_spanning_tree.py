import unittest

from spanning_tree import find_root, spanning_tree, total_cost


class SpanningTreeTest(unittest.TestCase):
    def test_no_edges(self):
        self.assertEqual(spanning_tree([]), [])

    def test_one_edge(self):
        self.assertEqual(spanning_tree([("a", "b", 3)]), [("a", "b", 3)])

    def test_two_edges_in_order(self):
        edges = [("a", "b", 1), ("b", "c", 2)]
        self.assertEqual(spanning_tree(edges), edges)

    def test_cheapest_first(self):
        self.assertEqual(spanning_tree([("a", "b", 9), ("b", "c", 2)]), [("b", "c", 2), ("a", "b", 9)])

    def test_a_triangle_leaves_the_dearest_out(self):
        edges = [("a", "b", 5), ("a", "c", 1), ("b", "c", 2)]
        self.assertEqual(spanning_tree(edges), [("a", "c", 1), ("b", "c", 2)])

    def test_of_equal_costs_the_first(self):
        edges = [("x", "y", 1), ("a", "x", 1), ("a", "y", 1)]
        self.assertEqual(spanning_tree(edges), [("x", "y", 1), ("a", "x", 1)])

    def test_two_parts(self):
        self.assertEqual(total_cost([("a", "b", 4), ("y", "z", 7)]), 11)

    def test_a_loop_is_left_out(self):
        self.assertEqual(spanning_tree([("a", "a", 0), ("a", "b", 1)]), [("a", "b", 1)])

    def test_total(self):
        edges = [(1, 2, 7), (1, 4, 5), (2, 3, 8), (2, 4, 9), (2, 5, 7), (3, 5, 5), (4, 5, 15), (4, 6, 6), (5, 6, 8), (5, 7, 9), (6, 7, 11)]
        self.assertEqual(total_cost(edges), 39)

    def test_root(self):
        self.assertEqual(find_root({1: 1, 2: 1, 3: 2}, 3), 1)

    def test_root_of_one_alone(self):
        self.assertEqual(find_root({1: 1}, 1), 1)
