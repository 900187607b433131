def calls(random):
    def word():
        return "".join(random.choices("abAB -", k=random.randint(0, 4)))

    for _ in range(250):
        yield "letter_key", word()
        yield "are_anagrams", word(), word()
        yield "group_anagrams", [word() for _ in range(random.randint(0, 6))]
        yield "largest_group", [word() for _ in range(random.randint(0, 6))]
