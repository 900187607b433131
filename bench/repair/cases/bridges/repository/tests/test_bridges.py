import unittest

from bridges import find_bridges, neighbours_of


class BridgesTest(unittest.TestCase):
    def test_neighbours(self):
        self.assertEqual(neighbours_of([("a", "b"), ("b", "c")]), {"a": ["b"], "b": ["a", "c"], "c": ["b"]})

    def test_no_edges(self):
        self.assertEqual(find_bridges([]), [])

    def test_one_edge(self):
        self.assertEqual(find_bridges([(1, 2)]), [(1, 2)])

    def test_a_chain(self):
        self.assertEqual(find_bridges([(3, 2), (2, 1)]), [(1, 2), (2, 3)])

    def test_a_triangle(self):
        self.assertEqual(find_bridges([(1, 2), (2, 3), (3, 1)]), [])

    def test_a_square(self):
        self.assertEqual(find_bridges([(1, 2), (2, 3), (3, 4), (4, 1)]), [])

    def test_two_triangles(self):
        edges = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)]
        self.assertEqual(find_bridges(edges), [(3, 4)])

    def test_a_triangle_with_a_tail(self):
        self.assertEqual(find_bridges([(1, 2), (2, 3), (3, 1), (1, 9)]), [(1, 9)])

    def test_two_parts(self):
        self.assertEqual(find_bridges([(1, 2), (7, 8)]), [(1, 2), (7, 8)])

    def test_a_star(self):
        self.assertEqual(find_bridges([(0, 1), (0, 2), (0, 3)]), [(0, 1), (0, 2), (0, 3)])

    def test_two_circles_at_one_node(self):
        self.assertEqual(find_bridges([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)]), [])
