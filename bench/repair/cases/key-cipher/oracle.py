def calls(random):
    for _ in range(250):
        text = "".join(random.choices("abzZ ,1", k=random.randint(0, 9)))
        key = "".join(random.choices("abcz", k=random.randint(0, 3)))
        yield "encrypt", text, key
        yield "decrypt", text, key
        yield "shift", random.choice("azAZm"), random.randint(-30, 30)
