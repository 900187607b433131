import unittest

from bellman_ford import NegativeCycle, distances_from, relax


class BellmanFordTest(unittest.TestCase):
    def test_alone(self):
        self.assertEqual(distances_from("a", []), {"a": 0})

    def test_one_edge(self):
        self.assertEqual(distances_from("a", [("a", "b", 4)]), {"a": 0, "b": 4})

    def test_edges_in_bad_order(self):
        edges = [("c", "d", 1), ("b", "c", 1), ("a", "b", 1)]
        self.assertEqual(distances_from("a", edges), {"a": 0, "b": 1, "c": 2, "d": 3})

    def test_negative_edge(self):
        edges = [("a", "b", 5), ("a", "c", 2), ("b", "c", -4)]
        self.assertEqual(distances_from("a", edges), {"a": 0, "b": 5, "c": 1})

    def test_not_reached(self):
        self.assertEqual(distances_from("a", [("x", "y", 1), ("x", "a", 1)]), {"a": 0})

    def test_negative_cycle(self):
        with self.assertRaises(NegativeCycle):
            distances_from("a", [("a", "b", 1), ("b", "a", -2)])

    def test_cycle_that_costs_nothing(self):
        self.assertEqual(distances_from("a", [("a", "b", 2), ("b", "a", -2)]), {"a": 0, "b": 2})

    def test_negative_cycle_out_of_reach(self):
        self.assertEqual(distances_from("a", [("x", "y", -1), ("y", "x", -1)]), {"a": 0})

    def test_relax_says_when_nothing_changed(self):
        self.assertFalse(relax({"a": 0, "b": 1}, [("a", "b", 1)]))

    def test_relax_shortens(self):
        distances = {"a": 0, "b": 9}
        self.assertTrue(relax(distances, [("a", "b", 1)]))
        self.assertEqual(distances["b"], 1)
