def calls(random):
    for _ in range(150):
        values = [random.randint(0, 40) for _ in range(random.randint(0, 9))]
        width = random.randint(1, 9)
        yield "bins", values, width
        yield "bars", {n * width: random.randint(0, 12) for n in range(random.randint(0, 5))}, random.randint(1, 9)
        yield "bars", {n: random.randint(0, 60) for n in range(random.randint(0, 3))}
        yield "percentile", values, random.choice([0, 1, 10, 25, 33, 50, 67, 75, 90, 100])
        yield "median", values
        yield "outliers", values
