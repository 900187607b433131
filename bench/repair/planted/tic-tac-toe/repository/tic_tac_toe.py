"""Tic-tac-toe; a board is a text of nine signs: "x", "o" or "."."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    """The player with three in a line; None if there is none."""
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return None


def turn(board):
    """The player whose turn it is; x begins."""
    return "x" if board.count("x") == board.count("o") else "o"


def moves(board):
    """The boards after each move of the player whose turn it is."""
    if winner(board):
        return []
    sign = turn(board)
    return [board[:i] + sign + board[i + 1 :] for i in range(9) if board[i] == "."]


def value(board, known=None):
    """The result of a board if both play well: 1 if x wins, -1 if o wins, 0 for a draw."""
    known = {} if known is None else known
    if board not in known:
        won = winner(board)
        if won:
            known[board] = 1 if won == "x" else -1
        else:
            results = [value(after, known) for after in moves(board)]
            best = max if turn(board) == "x" else min
            known[board] = best(results, default=0)
    return known[board]


def best_move(board):
    """The first place with the best result; None if the game is over."""
    after = moves(board)
    if not after:
        return None
    sign = turn(board)
    score = lambda b: value(b) if sign == "x" else -value(b)
    best = max(after, key=score)
    return next(i for i in range(9) if board[i] != best[i])
