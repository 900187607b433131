def calls(random):
    for _ in range(150):
        prices = [random.randint(1, random.choice([3, 9, 30])) for _ in range(random.randint(0, 9))]
        yield "best_single", prices
        yield "best_many", prices
        yield "best_many", prices, random.randint(0, 4)
        yield "best_limited", prices, random.randint(0, 4)
        yield "longest_rise", prices
        yield "drawdown", prices
