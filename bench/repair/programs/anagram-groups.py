# held-out
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

# tests
are_anagrams("abc", "abd")  # False
are_anagrams("Elvis", "Lives")  # True
are_anagrams("Dormitory", "dirty room")  # True
group_anagrams(["Arc", "car", "x"])  # [["Arc", "car"]]
group_anagrams(["a", "b"])  # []
largest_group(["ab", "cd", "dc", "ba", "dC"])  # ["cd", "dc", "dC"]
# oracle
word = lambda _=0: text("abAB -", 0, 4)
letter_key(word())
are_anagrams(word(), word())
group_anagrams(many(0, 6, word))
largest_group(many(0, 6, word))
# faults
# 3 missing conversion: `.lower()` ► ``
# 13 missing call: `append(word)` ► `word`
# 14 off by one: `1` ► `0`
