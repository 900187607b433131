def calls(random):
    for _ in range(300):
        yield "weekday", random.randint(1600, 2400), random.randint(1, 12), random.randint(1, 28)
        yield "nth_weekday", random.randint(1900, 2100), random.randint(1, 12), random.choice(["Monday", "Sunday", "Friday"]), random.randint(1, 4)
    for year in range(1990, 2030):
        yield "fridays_13", year
