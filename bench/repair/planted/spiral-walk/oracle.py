def calls(random):
    for _ in range(120):
        width = random.randint(1, 5)
        grid = [[random.randint(0, 99) for _ in range(width)] for _ in range(random.randint(0, 5))]
        yield "spiral", grid
        yield "turned", grid
        yield "diagonals", grid
        yield "magic_square", random.randint(1, 12)
