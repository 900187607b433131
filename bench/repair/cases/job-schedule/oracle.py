def calls(random):
    for _ in range(250):
        jobs = []
        for _ in range(random.randint(0, 7)):
            start = random.randint(0, 9)
            jobs.append((start, start + random.randint(1, 5), random.randint(1, 20)))
        yield "best_profit", jobs
        yield "most_jobs", jobs
        yield "running_at", jobs, random.randint(0, 14)
