def calls(random):
    for _ in range(250):
        text = " ".join("x" * random.randint(1, 6) for _ in range(random.randint(0, 8)))
        yield "wrap", text, random.randint(0, 14)
        yield "centre", text, random.randint(1, 12)
        yield "quote", text, random.randint(3, 15)
