from datetime import date, timedelta


def calls(random):
    for _ in range(140):
        start = date(2024, random.randint(1, 12), random.randint(1, 28))
        days = {}
        for n in range(random.randint(0, 14)):
            if random.random() < 0.85:
                days[start + timedelta(days=n)] = random.choice([17, 18, 19, 24, 25, 26, 26, 27, 27])
        yield "warm_spells", days, 25
        yield "warm_spells", days, random.randint(24, 28), random.randint(1, 4)
        yield "monthly_means", days
        yield "records", days
        yield "fill_gaps", days
        yield "degree_days", days
        yield "degree_days", days, random.randint(15, 27)
