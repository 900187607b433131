def calls(random):
    for _ in range(250):
        people = "abcdefg"[: random.randint(1, 7)]
        rivals = ["".join(random.choices(people, k=2)) for _ in range(random.randint(0, 6))]
        yield "teams", people, rivals
        graph = {n: [] for n in range(6)}
        for _ in range(random.randint(0, 6)):
            a, b = random.randint(0, 5), random.randint(0, 5)
            graph[a].append(b)
            graph[b].append(a)
        yield "two_colours", graph
