def calls(random):
    for _ in range(200):
        yield "radix_sort", [random.randint(0, 1200) for _ in range(random.randint(0, 9))]
        yield "radix_sort", [random.randint(0, 40) for _ in range(5)], random.choice([2, 3, 16])
        yield "digit_at", random.randint(0, 9999), random.randint(0, 5)
        yield "sort_words", ["".join(random.choices("abc", k=3)) for _ in range(4)]
    yield "radix_sort", [3, -1]
