"""Splitting a graph into two sides so that each edge goes across."""

from collections import deque


def two_colours(graph):
    """
    The colour 0 or 1 of each node so that neighbours differ, or None when that cannot be.
    graph maps each node to its neighbours, both ways.
    """
    colours = {}
    for start in graph:
        if start in colours:
            continue
        colours[start] = 0
        queue = deque([start])
        while queue:
            node = queue.popleft()
            for other in graph[node]:
                if other not in colours:
                    colours[other] = 1 - colours[node]
                    queue.append(other)
                elif colours[other] == colours[node]:
                    return None
    return colours


def teams(people, rivals):
    """Two teams, each sorted, without rivals in one team; None when that cannot be."""
    graph = {person: [] for person in people}
    for a, b in rivals:
        graph[a].append(b)
        graph[b].append(a)
    colours = two_colours(graph)
    if colours is None:
        return None
    return tuple(sorted(p for p in people if colours[p] == side) for side in (0, 1))
