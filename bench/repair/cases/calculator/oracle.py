def calls(random):
    def term(depth):
        if depth == 0 or random.random() < 0.25:
            return str(random.randint(1, 9))
        shape = random.random()
        if shape < 0.2:
            return f"({term(depth - 1)})"
        if shape < 0.3:
            return f"-{term(depth - 1)}"
        return f"{term(depth - 1)} {random.choice('+-*/')} {term(depth - 1)}"

    for _ in range(400):
        yield "calculate", term(4)
    for _ in range(150):
        yield "calculate", "".join(random.choices("12+-*() ", k=random.randint(0, 6)))
        yield "tokenize", "".join(random.choices("12+-*/( x", k=random.randint(0, 6)))
