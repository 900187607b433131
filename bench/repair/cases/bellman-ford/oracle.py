def calls(random):
    for _ in range(400):
        edges = [
            (random.choice("abcde"), random.choice("abcde"), random.randint(-1, 9))
            for _ in range(random.randint(0, 9))
        ]
        yield "distances_from", random.choice("abc"), edges
