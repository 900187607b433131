def calls(random):
    def path():
        return "/".join(random.choices(["a", "b", "c", ".", "..", ""], weights=[5, 5, 1, 1, 1, 1], k=random.randint(0, 5)))

    for _ in range(300):
        yield "common_path", [path() for _ in range(random.randint(0, 3))]
        yield "relative", path(), path()
        yield "parts_of", path()
