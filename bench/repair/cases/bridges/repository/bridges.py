"""Edges whose loss cuts an undirected graph in two."""


def neighbours_of(edges):
    """For each node the nodes next to it, in the order of the edges."""
    neighbours = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    return neighbours


def find_bridges(edges):
    """The bridges of a simple graph as sorted pairs (Tarjan): depth first, with low links."""
    neighbours = neighbours_of(edges)
    entered = {}
    earliest = {}
    bridges = []

    def visit(node, parent):
        entered[node] = earliest[node] = len(entered)
        for other in neighbours[node]:
            if other == parent:
                continue
            if other in entered:
                earliest[node] = min(earliest[node], entered[other])
                continue
            visit(other, node)
            earliest[node] = min(earliest[node], earliest[other])
            if earliest[other] > entered[node]:
                bridges.append(tuple(sorted((node, other))))

    for node in neighbours:
        if node not in entered:
            visit(node, None)
    return sorted(bridges)
