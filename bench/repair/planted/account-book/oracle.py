def calls(random):
    def story(limit, steps):
        def play(program):
            one, other = program.Account(limit), program.Account()
            seen = []
            for kind, amount, text in steps:
                if kind == "book":
                    seen.append(one.book(amount, text))
                elif kind == "transfer":
                    seen.append(program.transfer(one, other, abs(amount) + 1, 3))
                else:
                    seen.append(program.transfer(other, one, abs(amount) + 1))
            return [seen, one.balance, other.balance, one.entries, other.entries, one.lowest(), one.sums(), other.lowest()]

        return play

    for _ in range(150):
        steps = [(random.choice(["book", "book", "transfer", "back"]), random.randint(-40, 40), random.choice("abc")) for _ in range(random.randint(0, 8))]
        yield story(random.choice([0, 10, 50]), steps)
        yield "interest", random.choice([0, 1, -1, random.randint(-90_000, 90_000)]), random.randint(0, 400)
        yield "interest", random.randint(-90_000, 90_000), random.randint(0, 400), random.randint(0, 5), random.randint(6, 15)
