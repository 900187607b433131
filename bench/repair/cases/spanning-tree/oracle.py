def calls(random):
    for _ in range(300):
        edges = [
            (random.randint(0, 6), random.randint(0, 6), random.randint(0, 20))
            for _ in range(random.randint(0, 12))
        ]
        yield "spanning_tree", edges
        yield "total_cost", edges
