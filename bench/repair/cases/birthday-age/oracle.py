from datetime import date, timedelta


def calls(random):
    for _ in range(250):
        born = random.choice([date(2000, 2, 29), date(1999, 12, 31), date(2000, 1, 1), date(1990, 6, 15)])
        near = born.replace(year=random.choice([2004, 2020, 2024])) + timedelta(days=random.randint(-2, 2))
        yield "age_on", born, near
        yield "age_on", born, date(1995, 1, 1) + timedelta(days=random.randint(0, 9999))
        yield "days_to_birthday", born, near
        yield "birthday_in", born, random.randint(1990, 2030)
