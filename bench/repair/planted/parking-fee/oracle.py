def calls(random):
    for _ in range(150):
        minutes = random.choice([0, 1, 14, 15, 16, 59, 60, 61, 420, 450, 480, 1439, 1440, 1441, 1455, 1456, random.randint(0, 6000)])
        yield "hours_begun", minutes
        yield "day_fee", min(minutes, 1439)
        yield "fee", minutes
        yield "night_fee", random.randint(0, 23), random.randint(0, 23)
        yield "night_fee", random.choice([19, 20, 21]), random.choice([5, 6, 7, 19, 20, 21, 23])
        yield "change", 10 * random.randint(0, 90), 10 * random.randint(0, 60)
