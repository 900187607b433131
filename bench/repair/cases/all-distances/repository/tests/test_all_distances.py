import unittest

from all_distances import FAR, all_distances, centre, within

LINE = [("d", "e", 1), ("a", "b", 1), ("c", "d", 1), ("b", "c", 1)]


class AllDistancesTest(unittest.TestCase):
    def test_one_place(self):
        self.assertEqual(all_distances("a", []), {"a": {"a": 0}})

    def test_no_road(self):
        self.assertEqual(all_distances("ab", [])["a"]["b"], FAR)

    def test_both_ways(self):
        distance = all_distances("ab", [("a", "b", 3)])
        self.assertEqual((distance["a"]["b"], distance["b"]["a"]), (3, 3))

    def test_the_shorter_of_two_roads(self):
        self.assertEqual(all_distances("ab", [("a", "b", 3), ("b", "a", 2)])["a"]["b"], 2)

    def test_a_detour(self):
        roads = [("a", "b", 9), ("a", "c", 1), ("c", "b", 2)]
        self.assertEqual(all_distances("abc", roads)["a"]["b"], 3)

    def test_a_long_line(self):
        self.assertEqual(all_distances("abcde", LINE)["a"], {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4})

    def test_a_line_in_another_order(self):
        roads = [("a", "e", 1), ("e", "b", 1), ("b", "d", 1), ("d", "c", 1)]
        self.assertEqual(all_distances("abcde", roads)["a"]["c"], 4)

    def test_a_line_back(self):
        self.assertEqual(all_distances("abcde", LINE)["e"]["a"], 4)

    def test_a_way_through_late_places(self):
        roads = [("a", "y", 1), ("y", "z", 1), ("z", "x", 1), ("x", "b", 1)]
        self.assertEqual(all_distances("abxyz", roads)["a"]["b"], 4)

    def test_centre(self):
        self.assertEqual(centre("abcde", LINE), "c")

    def test_centre_of_one(self):
        self.assertEqual(centre("q", []), "q")

    def test_within(self):
        self.assertEqual(within("abcde", LINE, "b", 2), ["a", "b", "c", "d"])
