def calls(random):
    for _ in range(300):
        pairs = [(a, b) for a in range(7) for b in range(a)]
        edges = random.sample(pairs, random.randint(0, 9))
        yield "find_bridges", edges
