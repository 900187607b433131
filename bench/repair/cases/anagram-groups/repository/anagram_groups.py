"""Words made of the same letters."""


def letter_key(word):
    """The letters of a word in order; the same for all its anagrams."""
    return "".join(sorted(letter for letter in word.lower() if letter.isalpha()))


def are_anagrams(a, b):
    """True for different texts of the same letters; blanks, marks and capitals do not count."""
    return a != b and letter_key(a) == letter_key(b)


def group_anagrams(words):
    """Groups of at least two anagrams, each in the order of the words."""
    groups = {}
    for word in words:
        groups.setdefault(letter_key(word), []).append(word)
    return [group for group in groups.values() if len(group) > 1]


def largest_group(words):
    """The largest group; of several the first; empty without any."""
    return max(group_anagrams(words), key=len, default=[])
