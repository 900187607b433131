import unittest

from tic_tac_toe import best_move, moves, turn, value, winner


class TicTacToeTest(unittest.TestCase):
    def test_nobody_has_won(self):
        self.assertIsNone(winner("xo......."))

    def test_a_row(self):
        self.assertEqual(winner("oo.xxx..."), "x")

    def test_a_diagonal(self):
        self.assertEqual(winner("xxo.o.oxx"), "o")

    def test_turn(self):
        self.assertEqual(turn("........."), "x")
        self.assertEqual(turn("x........"), "o")

    def test_moves(self):
        self.assertEqual(moves("xoxoxo.x."), ["xoxoxoox.", "xoxoxo.xo"])

    def test_no_moves_after_a_win(self):
        self.assertEqual(moves("xxxoo...."), [])

    def test_value_of_a_win(self):
        self.assertEqual(value("xx.oo...."), 1)

    def test_value_of_a_loss(self):
        self.assertEqual(value("x..oo.x.x"), -1)

    def test_value_of_a_draw(self):
        self.assertEqual(value("xoxxoxoxo"), 0)

    def test_wins(self):
        self.assertEqual(best_move("xx.oo...."), 2)

    def test_blocks(self):
        self.assertEqual(best_move("xx..o...."), 2)

    def test_no_move(self):
        self.assertIsNone(best_move("xoxxoxoxo"))
