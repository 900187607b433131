# held-out
class NegativeCycle(ValueError):
    """There is no shortest way: one goes round and round and gets ever shorter."""

def relax(distances, edges):
    """Shortens distances over each edge once; True when any got shorter."""
    changed = False
    for start, end, weight in edges:
        if start not in distances:
            continue
        candidate = distances[start] + weight
        if end not in distances or candidate < distances[end]:
            distances[end] = candidate
            changed = True
    return changed

def distances_from(source, edges):
    """Distances of all nodes that can be reached; edges are (start, end, weight)."""
    nodes = {source}
    for start, end, _ in edges:
        nodes.update((start, end))
    distances = {source: 0}
    for _ in range(len(nodes) - 1):
        if not relax(distances, edges):
            return distances
    if relax(distances, edges):
        raise NegativeCycle(source)
    return distances

# tests
distances_from("a", [])  # {"a": 0}
distances_from("a", [("a", "b", 4)])  # {"a": 0, "b": 4}
distances_from("a", [("x", "y", 1), ("x", "a", 1)])  # {"a": 0}
distances_from("a", [("a", "b", 1), ("b", "a", -2)])  # throws NegativeCycle
distances_from("a", [("a", "b", 2), ("b", "a", -2)])  # {"a": 0, "b": 2}
relax({"a": 0, "b": 1}, [("a", "b", 1)])  # False
# oracle
edges = lambda: many(0, 9, lambda _: (pick(*"abcde"), pick(*"abcde"), num(-1, 9)))
distances_from(pick(*"abc"), edges())
# faults
# 8 wrong variable: `start` ► `end`
# 10 missing statement: `candidate = distances[start] + weight` ► ``
# 21 off by one: `0` ► `-1`
# 26 missing call: `NegativeCycle(source)` ► `source`
