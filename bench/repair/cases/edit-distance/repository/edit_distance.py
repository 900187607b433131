"""How far two words are apart."""


def edit_distance(a, b):
    """Fewest letters to put in, take out or replace to make b of a (Levenshtein)."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        previous, row = row, [i]
        for j, other in enumerate(b, start=1):
            cost = 0 if letter == other else 1
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + cost))
    return row[-1]


def closest(word, words, limit=2):
    """The words nearest to this one, sorted; none that is farther away than the limit."""
    distances = {other: edit_distance(word, other) for other in words}
    if not distances:
        return []
    best = min(distances.values())
    if best > limit:
        return []
    return sorted(other for other, distance in distances.items() if distance == best)


def suggestion(word, words):
    """A question for a word that was mistyped; an empty text when there is no idea."""
    near = closest(word, words)
    return f"Did you mean {' or '.join(near)}?" if near else ""
