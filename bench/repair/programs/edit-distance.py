# tuning
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

# tests
edit_distance("cat", "cut")  # 1
edit_distance("kitten", "sitting")  # 3
closest("staus", ["status", "stash", "log"])  # ["status"]
closest("bat", ["cat", "bar", "dog"])  # ["bar", "cat"]
closest("abc", ["xyz"])  # []
suggestion("comit", ["commit", "push"])  # "Did you mean commit?"
# oracle
word = lambda _=0: text("abc", 0, 6)
edit_distance(word(), word())
closest(word(), many(0, 4, word))
suggestion(word(), many(0, 3, word))
# faults
# 7 wrong constant: `1` ► `2`
# 14 wrong negation: `not distances` ► `distances`
# 23 swapped arguments: `word, words` ► `words, word`
