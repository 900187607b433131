def calls(random):
    for number in list(range(0, 60)) + [random.randint(1, 4100) for _ in range(150)]:
        yield "to_roman", number
    for _ in range(300):
        yield "from_roman", "".join(random.choices("IVXLCM", k=random.randint(0, 4)))
        yield "add_up", "".join(random.choices("IVXLCDM", k=random.randint(0, 6)))
    for _ in range(100):
        number = random.randint(1, 3999)
        yield lambda program: program.from_roman(program.to_roman(number))
