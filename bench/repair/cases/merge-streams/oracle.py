def calls(random):
    for _ in range(200):
        streams = [
            sorted(random.randint(-3, 12) for _ in range(random.randint(0, 5)))
            for _ in range(random.randint(0, 4))
        ]
        yield lambda program: list(program.merge_streams(streams))
        yield lambda program: list(program.merge_unique(streams))
        yield lambda program: program.first_values(streams, 4)
