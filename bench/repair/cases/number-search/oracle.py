def calls(random):
    for number in range(-1, 120):
        yield "integer_root", number
        yield "integer_root", number, 3
    for _ in range(200):
        values = sorted(random.randint(0, 12) for _ in range(random.randint(0, 8)))
        yield "index_of", values, random.randint(-1, 13)
        low, high, bound = random.randint(-9, 5), random.randint(-9, 20), random.randint(-12, 22)
        if high >= low - 1:
            yield lambda program: program.first_true(low, high, lambda n: n >= bound)
