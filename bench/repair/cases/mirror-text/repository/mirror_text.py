"""Palindromes: texts that read the same both ways."""


def is_palindrome(text):
    """True when the letters and digits read the same both ways; capitals do not count."""
    letters = [c.lower() for c in text if c.isalnum()]
    return letters == letters[::-1]


def grow(text, left, right):
    """The bounds of the longest palindrome that grows out of this middle."""
    while left >= 0 and right < len(text) and text[left] == text[right]:
        left -= 1
        right += 1
    return left + 1, right


def longest_palindrome(text):
    """The longest palindrome within the text; the first of several."""
    best = ""
    for middle in range(len(text)):
        for right in (middle, middle + 1):
            start, end = grow(text, middle, right)
            if end - start > len(best):
                best = text[start:end]
    return best


def complete(text):
    """The shortest palindrome that begins with the text."""
    for start in range(len(text)):
        if text[start:] == text[start:][::-1]:
            return text + text[:start][::-1]
    return text
