def calls(random):
    yield "counting_sort", []
    for _ in range(200):
        values = [random.randint(-5, 9) for _ in range(random.randint(0, 10))]
        yield "counting_sort", values
        yield "most_common", values
        yield "count_values", values, -6, random.choice([9, 12])
