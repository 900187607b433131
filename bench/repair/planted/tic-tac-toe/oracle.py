def calls(random):
    for _ in range(150):
        board = "........."
        for n in range(random.randint(2, 9)):
            free = [i for i in range(9) if board[i] == "."]
            at = random.choice(free)
            board = board[:at] + "xo"[n % 2] + board[at + 1 :]
        yield "winner", board
        yield "turn", board
        yield "moves", board
        yield "value", board
        yield "best_move", board
