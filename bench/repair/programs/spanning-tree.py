# tuning
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

# tests
spanning_tree([("a", "b", 3)])  # [("a", "b", 3)]
spanning_tree([("a", "b", 9), ("b", "c", 2)])  # [("b", "c", 2), ("a", "b", 9)]
total_cost([("a", "b", 4), ("y", "z", 7)])  # 11
spanning_tree([("a", "a", 0), ("a", "b", 1)])  # [("a", "b", 1)]
find_root({1: 1, 2: 1, 3: 2}, 3)  # 1
find_root({1: 1}, 1)  # 1
# oracle
edges = lambda: many(0, 12, lambda _: (num(0, 6), num(0, 6), num(0, 20)))
spanning_tree(edges())
total_cost(edges())
# faults
# 11 missing argument: `, key=lambda edge: edge[2]` ► ``
# 12 swapped arguments: `parents, b` ► `b, parents`
# 15 wrong variable: `root_b` ► `chosen`
# 16 missing statement: `chosen.append((a, b, cost))` ► ``
