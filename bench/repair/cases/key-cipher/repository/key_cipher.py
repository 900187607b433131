"""The cipher of Vigenère: each letter is shifted by the next letter of a key."""

import string

ALPHABET = string.ascii_lowercase


def shift(letter, by):
    """A letter moved on in the alphabet, round its end; capitals stay capitals."""
    moved = ALPHABET[(ALPHABET.index(letter.lower()) + by) % 26]
    return moved.upper() if letter.isupper() else moved


def translate(text, key, direction):
    """Shifts the letters of the text; other characters stay and use up no letter of the key."""
    if not key or any(letter not in ALPHABET for letter in key):
        raise ValueError("a key has small letters only")
    result = []
    position = 0
    for character in text:
        if character.lower() in ALPHABET:
            by = ALPHABET.index(key[position % len(key)])
            character = shift(character, direction * by)
            position += 1
        result.append(character)
    return "".join(result)


def encrypt(text, key):
    """The secret text."""
    return translate(text, key, 1)


def decrypt(text, key):
    """The text that was encrypted."""
    return translate(text, key, -1)
