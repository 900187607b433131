"""Morse code."""

CODES = {
    "a": ".-", "b": "-...", "c": "-.-.", "d": "-..", "e": ".", "h": "....", "i": "..",
    "l": ".-..", "m": "--", "n": "-.", "o": "---", "r": ".-.", "s": "...", "t": "-",
}
LETTERS = {code: letter for letter, code in CODES.items()}


def encode(text):
    """The code of a text: letters apart by a blank, words by a slash; unknown letters are left out."""
    words = []
    for word in text.lower().split():
        codes = [CODES[letter] for letter in word if letter in CODES]
        if codes:
            words.append(" ".join(codes))
    return " / ".join(words)


def decode(code):
    """The text of a code; "?" for a code that is unknown."""
    words = [word.split() for word in code.split("/")]
    return " ".join("".join(LETTERS.get(c, "?") for c in word) for word in words)


def duration(code):
    """The length of a code in units: dot 1, dash 3, 1 between them, 3 between letters, 7 between words."""
    total = 0
    for w, word in enumerate(code.split(" / ")):
        total += 7 if w > 0 else 0
        for n, letter in enumerate(word.split()):
            total += 3 if n > 0 else 0
            total += sum(3 if sign == "-" else 1 for sign in letter) + len(letter) - 1
    return total


def readings(signs):
    """All texts of signs that are not apart, sorted."""
    if signs == "":
        return [""]
    found = []
    for code, letter in LETTERS.items():
        if signs.startswith(code):
            found += [letter + rest for rest in readings(signs[len(code) :])]
    return sorted(found)
