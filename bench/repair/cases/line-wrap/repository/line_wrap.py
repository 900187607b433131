"""Wrapping text to a width."""


def wrap(text, width):
    """Lines of at most so many characters, broken at blanks; a word that is longer is alone."""
    if width < 1:
        raise ValueError("a line has at least one character")
    lines = []
    line = ""
    for word in text.split():
        if line == "":
            line = word
        elif len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


def centre(text, width, fill=" "):
    """The lines of a text, each in the middle of the width."""
    return [line.center(width, fill).rstrip() for line in wrap(text, width)]


def quote(text, width, mark="> "):
    """The text as a quotation; the mark counts to the width."""
    return "\n".join(mark + line for line in wrap(text, width - len(mark)))
