def calls(random):
    def shift():
        start = random.randint(0, 160)
        return random.choice(["ann", "bob", "cid"]), start, start + random.randint(1, 12)

    for _ in range(130):
        shifts = [shift() for _ in range(random.randint(0, 6))]
        yield "conflicts", shifts
        if shifts:
            name, start, end = shifts[0]
            yield "conflicts", [(name, start, end), (name, end + random.choice([0, 10, 11, 12]), end + 20)]
        yield "hours_by_name", shifts
        start = random.randint(0, 150)
        yield "least_staffed", shifts, start, start + random.randint(0, 20)
        slots = sorted((s, e) for _, s, e in shifts)
        yield "assign", ["ann", "bob", "cid"][: random.randint(1, 3)], slots
        at = random.randint(0, 9)
        yield "assign", ["bob", "ann"], [(at + n * random.choice([8, 10, 12]), at + n * 8 + 8) for n in range(5)]
