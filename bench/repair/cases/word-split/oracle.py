def calls(random):
    def word():
        return "".join(random.choices("ab", k=random.randint(1, 3)))

    for _ in range(250):
        words = sorted({word() for _ in range(random.randint(0, 4))})
        text = "".join(random.choices("ab", k=random.randint(0, 6)))
        yield "can_split", text, words
        yield "splits", text, words
        yield "longest_compound", words
