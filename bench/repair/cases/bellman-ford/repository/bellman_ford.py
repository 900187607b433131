"""Shortest distances with negative edges."""


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
