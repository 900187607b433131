from datetime import date, timedelta


def calls(random):
    def day():
        return date(2019, 1, 1) + timedelta(days=random.randint(0, 2200))

    for _ in range(300):
        yield "add_months", day(), random.randint(-30, 30)
        yield "full_months", day(), day()
    for _ in range(60):
        yield "due_dates", day(), random.randint(0, 6)
