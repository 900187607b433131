def calls(random):
    for _ in range(120):
        text = "".join(random.choice("aaabbcde"[: random.randint(1, 8)]) for _ in range(random.randint(0, 14)))
        yield "count_symbols", text
        yield "lengths", {s: random.randint(1, 9) for s in "abcdef"[: random.randint(1, 6)]}
        yield "canonical", {s: random.randint(1, 5) for s in "abcd"[: random.randint(1, 4)]}
        yield "encode", text
        yield "decode", "".join(random.choice("01") for _ in range(random.randint(0, 8))), {"a": "0", "b": "10", "c": "110", "d": "111"}
        yield "saved", text
