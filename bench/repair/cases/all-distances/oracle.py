def calls(random):
    for _ in range(150):
        places = "abcdefg"[: random.randint(1, 7)]
        roads = [
            (random.choice(places), random.choice(places), random.randint(1, 9))
            for _ in range(random.randint(0, 9))
        ]
        roads = [road for road in roads if road[0] != road[1]]
        yield "all_distances", places, roads
        yield "centre", places, roads
        yield "within", places, roads, places[0], random.randint(0, 12)
