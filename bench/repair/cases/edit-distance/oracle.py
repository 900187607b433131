def calls(random):
    def word():
        return "".join(random.choices("abc", k=random.randint(0, 6)))

    for _ in range(300):
        yield "edit_distance", word(), word()
        yield "closest", word(), [word() for _ in range(random.randint(0, 4))]
        yield "suggestion", word(), [word() for _ in range(random.randint(0, 3))]
