from datetime import date, timedelta


def calls(random):
    for _ in range(130):
        issued = date(2024, 1, 1) + timedelta(days=random.randint(0, 400))
        lines = [(random.randint(0, 5), random.randint(0, 999), random.choice(["usual", "reduced", "free"])) for _ in range(random.randint(0, 5))]
        yield "line_total", random.randint(0, 9), random.randint(0, 999), random.randint(0, 100)
        yield "line_total", random.randint(0, 9), random.randint(0, 999)
        yield "tax_by_rate", lines
        yield "total", lines
        yield "due_date", issued
        yield "due_date", issued, random.randint(0, 40)
        yield "reminder_level", issued, issued + timedelta(days=random.choice([13, 14, 15, 16, 17, 27, 28, 29, 30, 31, 41, 42, 43, 44, 56, 90, random.randint(0, 80)]))
        yield "early_payment", random.randint(0, 9999), issued, issued + timedelta(days=random.choice([0, 6, 7, 8, random.randint(0, 30)]))
