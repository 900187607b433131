def calls(random):
    yield "best_order", [1]
    for _ in range(200):
        sizes = [random.randint(1, 30) for _ in range(random.randint(2, 7))]
        yield "best_order", sizes
        yield "plain_cost", sizes
