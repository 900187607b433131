def calls(random):
    for _ in range(250):
        digits = [random.randint(0, 9) for _ in range(random.randint(1, 9))]
        text = "".join(map(str, digits))
        yield "luhn_sum", digits
        yield "card_check_digit", text
        yield "is_card_number", text + random.choice(["", " ", "x"])
        yield "isbn_check_digit", "".join(random.choices("0123456789", k=9))
