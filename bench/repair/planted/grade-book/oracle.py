def calls(random):
    for _ in range(150):
        points = lambda most: [random.randint(0, 20) * 5 for _ in range(random.randint(0, most))]
        yield "letter", random.choice([0, 59, 60, 69, 70, 79, 80, 89, 90, 89.9, 100, random.randint(0, 100)])
        yield "mean", points(5), random.randint(0, 3)
        yield "mean", points(5)
        yield "final", points(6), points(3)
        yield "final", points(6), points(3), random.choice([0, 0.25, 0.5, 1])
        yield "curve", random.choice([points(5), [n + 15 for n in points(5)]])
        yield "report", [(name, points(5), points(3)) for name in random.sample("abcd", random.randint(0, 4))]
        yield "improved", points(7)
