from datetime import date


def calls(random):
    for year in range(1600, 2300):
        yield "easter", year
    for _ in range(50):
        year = random.randint(1900, 2100)
        yield "feast", random.choice(["Good Friday", "Ascension", "Whitsun"]), year
        yield "is_good_friday", date(year, random.randint(3, 4), random.randint(1, 30))
