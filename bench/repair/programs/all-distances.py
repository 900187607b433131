# held-out
from itertools import product

FAR = float("inf")

def all_distances(places, roads):
    """A table distance[a][b] (Floyd, Warshall); roads are (a, b, length) and go both ways."""
    distance = {a: {b: 0 if a == b else FAR for b in places} for a in places}
    for a, b, length in roads:
        distance[a][b] = distance[b][a] = min(length, distance[a][b])
    for middle, a, b in product(places, repeat=3):
        way = distance[a][middle] + distance[middle][b]
        if way < distance[a][b]:
            distance[a][b] = way
    return distance

def centre(places, roads):
    """The place whose farthest place is nearest; of several, the first."""
    distance = all_distances(places, roads)
    return min(places, key=lambda place: max(distance[place].values()))

def within(places, roads, start, limit):
    """The places that are at most so far away, the start with them."""
    distance = all_distances(places, roads)
    return [place for place in places if distance[start][place] <= limit]

# tests
all_distances("a", [])  # {"a": {"a": 0}}
all_distances("ab", [])["a"]["b"]  # FAR
all_distances("ab", [("a", "b", 3), ("b", "a", 2)])["a"]["b"]  # 2
centre("q", [])  # "q"
# oracle
roads = lambda: many(0, 9, lambda _: (*pick("ab", "bc", "ca", "ad", "de", "ce"), num(1, 9)))
all_distances("abcde", roads())
centre("abcde", roads())
within("abcde", roads(), "a", num(0, 12))
# faults
# 7 off by one: `0` ► `1`
# 11 wrong arithmetic operator: `+` ► `-`
# 12 wrong negation: `way < distance[a][b]` ► `not (way < distance[a][b])`
# 18 missing statement: `distance = all_distances(places, roads)` ► ``
