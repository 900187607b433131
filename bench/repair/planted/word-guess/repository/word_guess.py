"""A game in which a word is guessed."""


def marks(secret, guess):
    """"=" for a right letter, "+" for one in another place, "-" for none; each letter of the secret counts once."""
    left = [s for s, g in zip(secret, guess) if s != g]
    result = []
    for s, g in zip(secret, guess):
        if s == g:
            result.append("=")
        elif g in left:
            left.remove(g)
            result.append("+")
        else:
            result.append("-")
    return "".join(result)


def possible(words, tries):
    """The words that fit all tries, which are (guess, marks)."""
    return [word for word in words if all(marks(word, guess) == seen for guess, seen in tries)]


def best_guess(words):
    """The word that leaves the fewest words at worst; the first of equals."""
    best, least = None, None
    for guess in words:
        groups = {}
        for secret in words:
            seen = marks(secret, guess)
            groups[seen] = groups.get(seen, 0) + 1
        worst = max(groups.values())
        if least is None or worst < least:
            best, least = guess, worst
    return best


def play(secret, words, rounds=6):
    """The guesses until the secret is found, or until the rounds are over."""
    tries = []
    for _ in range(rounds):
        guess = best_guess(possible(words, tries))
        if guess is None:
            break
        tries.append((guess, marks(secret, guess)))
        if guess == secret:
            break
    return [guess for guess, _ in tries]


def points(guesses, secret, rounds=6):
    """Points of a game: one for each round that was not needed, and one for the word; 0 if it was not found."""
    if not guesses or guesses[-1] != secret:
        return 0
    return rounds - len(guesses) + 1
