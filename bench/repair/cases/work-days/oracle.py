from datetime import date, timedelta


def calls(random):
    def day():
        return date(2023, 12, 1) + timedelta(days=random.randint(0, 60))

    for _ in range(150):
        holidays = tuple(day() for _ in range(random.randint(0, 6)))
        start = day()
        yield "is_workday", day(), holidays
        yield "add_workdays", start, random.randint(0, 12), holidays
        yield "count_workdays", start, start + timedelta(days=random.randint(0, 30)), holidays
        yield "week_of", day()
