"""The cheapest net that joins all places."""


def find_root(parents, place):
    """The place that stands for all that are joined with this one."""
    while parents[place] != place:
        place = parents[place]
    return place


def spanning_tree(edges):
    """The edges (a, b, cost) of a cheapest spanning tree or forest, cheapest first (Kruskal)."""
    parents = {place: place for a, b, _ in edges for place in (a, b)}
    chosen = []
    for a, b, cost in sorted(edges, key=lambda edge: edge[2]):
        root_a, root_b = find_root(parents, a), find_root(parents, b)
        if root_a == root_b:
            continue
        parents[root_b] = root_a
        chosen.append((a, b, cost))
    return chosen


def total_cost(edges):
    """What a cheapest net costs."""
    return sum(cost for _, _, cost in spanning_tree(edges))
