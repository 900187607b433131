def calls(random):
    for _ in range(200):
        values = [random.randint(-5, 9) for _ in range(random.randint(0, 9))]
        yield "insertion_sort", values
        yield "insert", sorted(values), random.randint(-6, 10)
        yield "find_place", sorted(values), random.randint(-6, 10)
        yield "count_between", sorted(values), random.randint(-6, 3), random.randint(3, 10)
