def calls(random):
    edges = [0, 9_999, 10_000, 10_001, 24_999, 25_000, 25_001, 50_000, 59_999, 60_000, 60_001]
    for _ in range(150):
        income = random.choice([random.choice(edges), random.randint(0, 120_000)])
        children = random.randint(0, 4)
        yield "marginal_rate", income
        yield "tax", income
        yield "tax", income, children
        yield "net", income, children
        yield "split_tax", income, random.randint(0, 90_000)
        yield "saving", income, random.randint(0, 90_000)
