"""Finding the words in a text without blanks."""


def can_split(text, words):
    """True when the text is made of these words; a word may come more than once."""
    reachable = [True] + [False] * len(text)
    for end in range(1, len(text) + 1):
        for word in words:
            start = end - len(word)
            if start >= 0 and reachable[start] and text[start:end] == word:
                reachable[end] = True
                break
    return reachable[-1]


def splits(text, words):
    """All ways to split the text, each as a text with blanks, sorted."""
    if text == "":
        return [""]
    found = []
    for word in set(words) - {""}:
        if text.startswith(word):
            for rest in splits(text[len(word) :], words):
                found.append(f"{word} {rest}".strip())
    return sorted(found)


def longest_compound(words):
    """The longest word that is made of at least two of the others; None without one."""
    compounds = [w for w in words if w and can_split(w, [o for o in words if o not in (w, "")])]
    return max(compounds, key=len, default=None)
