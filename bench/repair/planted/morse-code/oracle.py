def calls(random):
    letters = "abcdehilmnorst"
    for _ in range(120):
        text = "".join(random.choice(letters + letters.upper() + "  xyz!-") for _ in range(random.randint(0, 12)))
        yield "encode", text
        code = " / ".join(" ".join("".join(random.choice(".-") for _ in range(random.randint(1, 5))) for _ in range(random.randint(1, 3))) for _ in range(random.randint(1, 3)))
        yield "decode", code
        yield "decode", random.choice(["", "/", ". / / -", ".  -"])
        yield "duration", code
        yield "readings", "".join(random.choice(".-") for _ in range(random.randint(0, 6)))
