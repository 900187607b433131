import unittest

from leaderboard import add_round, around, moves, podium, ranks

POINTS = {"ann": 5, "bob": 9, "cid": 5, "dan": 1}


class LeaderboardTest(unittest.TestCase):
    def test_ranks(self):
        table = [(1, "bob", 9), (2, "ann", 5), (2, "cid", 5), (4, "dan", 1)]
        self.assertEqual(ranks(POINTS), table)

    def test_ranks_of_nobody(self):
        self.assertEqual(ranks({}), [])

    def test_podium(self):
        self.assertEqual(podium(POINTS), ["bob", "ann", "cid"])

    def test_podium_of_two(self):
        self.assertEqual(podium({"ann": 1, "bob": 2}), ["bob", "ann"])

    def test_around(self):
        self.assertEqual(around(POINTS, "ann"), ["bob", "ann", "cid"])

    def test_around_the_first(self):
        self.assertEqual(around(POINTS, "bob", 2), ["bob", "ann", "cid"])

    def test_moves(self):
        later = {"ann": 10, "bob": 9, "dan": 1, "eve": 0}
        self.assertEqual(moves(POINTS, later), {"ann": 1, "bob": -1, "dan": 1})

    def test_a_win(self):
        self.assertEqual(add_round({}, [("ann", "bob", 2, 1)]), {"ann": 3, "bob": 0})

    def test_a_draw(self):
        self.assertEqual(add_round({"ann": 2}, [("ann", "bob", 1, 1)]), {"ann": 3, "bob": 1})

    def test_two_rounds(self):
        results = [("ann", "bob", 0, 1), ("bob", "ann", 0, 4)]
        self.assertEqual(add_round({}, results), {"ann": 3, "bob": 3})
