def calls(random):
    for _ in range(300):
        yield "first_fault", "".join(random.choices("()[]'\"x", k=random.randint(0, 8)))
        yield "is_balanced", "".join(random.choices("(){}", k=random.randint(0, 5)))
        yield "depth", "".join(random.choices("()", k=random.randint(0, 6)))
