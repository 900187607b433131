def calls(random):
    for _ in range(300):
        values = [random.randint(0, 6) for _ in range(random.randint(0, 10))]
        yield "quick_sort", values
        yield "partition", values, 0, len(values), random.randint(0, 6)
