def calls(random):
    def formula(depth):
        if depth == 0 or random.random() < 0.3:
            return str(random.randint(1, 9))
        return f"{formula(depth - 1)} {formula(depth - 1)} {random.choice('+-*/')}"

    for _ in range(250):
        text = formula(3)
        yield "evaluate", text
        yield "evaluate", " ".join(random.choices(["1", "2", "3", "+", "-"], k=random.randint(0, 5)))
        yield "is_formula", " ".join(random.choices(["1", "+"], k=random.randint(0, 7)))
    yield "evaluate", "2 3 ^"
    yield "evaluate", "4 0 /"
