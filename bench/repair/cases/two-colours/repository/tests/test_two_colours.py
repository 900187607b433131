import unittest

from two_colours import teams, two_colours


class TwoColoursTest(unittest.TestCase):
    def test_no_nodes(self):
        self.assertEqual(two_colours({}), {})

    def test_one_node(self):
        self.assertEqual(two_colours({"a": []}), {"a": 0})

    def test_a_pair(self):
        self.assertEqual(two_colours({"a": ["b"], "b": ["a"]}), {"a": 0, "b": 1})

    def test_a_chain(self):
        graph = {1: [2], 2: [1, 3], 3: [2, 4], 4: [3]}
        self.assertEqual(two_colours(graph), {1: 0, 2: 1, 3: 0, 4: 1})

    def test_a_triangle(self):
        self.assertIsNone(two_colours({1: [2, 3], 2: [1, 3], 3: [1, 2]}))

    def test_a_square(self):
        graph = {1: [2, 4], 2: [1, 3], 3: [2, 4], 4: [3, 1]}
        self.assertEqual(two_colours(graph), {1: 0, 2: 1, 3: 0, 4: 1})

    def test_a_circle_of_five(self):
        graph = {n: [(n + 1) % 5, (n - 1) % 5] for n in range(5)}
        self.assertIsNone(two_colours(graph))

    def test_a_node_next_to_itself(self):
        self.assertIsNone(two_colours({"a": ["a"]}))

    def test_two_parts(self):
        self.assertEqual(two_colours({1: [2], 2: [1], 8: [9], 9: [8]}), {1: 0, 2: 1, 8: 0, 9: 1})

    def test_teams(self):
        self.assertEqual(teams("abcd", ["ac", "cb", "bd"]), (["a", "b"], ["c", "d"]))

    def test_no_teams(self):
        self.assertIsNone(teams("abc", ["ab", "bc", "ca"]))

    def test_no_rivals(self):
        self.assertEqual(teams("ba", []), (["a", "b"], []))
