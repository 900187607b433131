def calls(random):
    for number in range(-1, 200):
        yield "prime_factors", number
        yield "as_text", number
    for _ in range(150):
        yield "prime_factors", random.randint(200, 60000)
        yield "count_divisors", random.randint(1, 5000)
