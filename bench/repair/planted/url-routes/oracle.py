def calls(random):
    words = ["a", "b", "users"]

    def pattern():
        parts = [random.choice([*words, ":id", ":name"]) for _ in range(random.randint(0, 3))]
        return "/" + "/".join(parts + (["*"] if random.random() < 0.3 else []))

    for _ in range(150):
        path = "/".join(["", *(random.choice([*words, "7", ""]) for _ in range(random.randint(0, 4)))])
        yield "parts_of", path
        patterns = [pattern() for _ in range(random.randint(0, 5))]
        for p in patterns:
            yield "match", p, path
        yield "weight", pattern()
        yield "route", patterns, path
        yield "build", pattern(), {"id": 7, "name": random.choice(words), "rest": random.choice(["", "x", "x/y"])}
