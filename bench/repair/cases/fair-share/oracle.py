def calls(random):
    for _ in range(200):
        values = [random.randint(1, 15) for _ in range(random.randint(0, 7))]
        yield lambda program: sorted(program.reachable_sums(values))
        yield "smallest_difference", values
        yield "can_share", values
        yield "closest_sum", values, random.randint(0, 40)
