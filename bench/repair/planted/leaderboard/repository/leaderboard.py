"""A table of points with shared places."""


def ranks(points):
    """(place, name, points) for each name, best first; equal points share a place, and the next ones are left out."""
    ordered = sorted(points.items(), key=lambda entry: (-entry[1], entry[0]))
    table = []
    for i, (name, score) in enumerate(ordered):
        shared = i > 0 and ordered[i - 1][1] == score
        place = table[-1][0] if shared else i + 1
        table.append((place, name, score))
    return table


def podium(points):
    """The names on the first three places."""
    return [name for place, name, _ in ranks(points) if place <= 3]


def around(points, name, reach=1):
    """The names next to one in the table."""
    names = [entry[1] for entry in ranks(points)]
    at = names.index(name)
    return names[max(0, at - reach) : at + reach + 1]


def moves(before, after):
    """How many places each name went up (more than 0) or down; names that are new are left out."""
    old = {name: place for place, name, _ in ranks(before)}
    new = {name: place for place, name, _ in ranks(after)}
    return {name: old[name] - new[name] for name in sorted(new) if name in old}


def add_round(points, results):
    """The points after a round: 3 for a win, 1 for a draw; results are (home, away, home goals, away goals)."""
    total = dict(points)
    for home, away, scored, conceded in results:
        if scored == conceded:
            gained = (1, 1)
        else:
            gained = (3, 0) if scored > conceded else (0, 3)
        total[home] = total.get(home, 0) + gained[0]
        total[away] = total.get(away, 0) + gained[1]
    return total
