def calls(random):
    for _ in range(130):
        word = lambda: "".join(random.choice("abcd") for _ in range(4))
        words = sorted({word() for _ in range(random.randint(0, 9))}, key=lambda w: w[::-1])
        yield "marks", word(), word()
        secret = random.choice(words) if words else "abcd"
        guess = word()
        yield "possible", words, [(guess, random.choice(["----", "+---", "=---", "-+-+", "--=-"]))]
        yield "best_guess", words
        yield "play", secret, words
        yield "play", secret, words, random.randint(0, 3)
        yield "points", words[: random.randint(0, 4)], secret, random.randint(4, 8)
