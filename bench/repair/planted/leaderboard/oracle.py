def calls(random):
    names = ["ann", "bob", "cid", "dan", "eve", "fay"]
    for _ in range(120):
        points = lambda: {n: random.randint(0, 6) for n in random.sample(names, random.randint(0, 6))}
        table = points()
        yield "ranks", table
        yield "podium", table
        if table:
            yield "around", table, random.choice(list(table)), random.randint(0, 3)
            yield "around", table, random.choice(list(table))
        yield "moves", table, points()
        rounds = [(*random.sample(names, 2), random.randint(0, 3), random.randint(0, 3)) for _ in range(random.randint(0, 4))]
        yield "add_round", table, rounds
