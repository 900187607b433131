"""Walks over a grid of values."""


def spiral(grid):
    """The values of a grid from outside to inside, clockwise from the left top."""
    values = []
    top, bottom = 0, len(grid) - 1
    left, right = 0, len(grid[0]) - 1 if grid else -1
    while top <= bottom and left <= right:
        values += grid[top][left : right + 1]
        values += [grid[row][right] for row in range(top + 1, bottom + 1)]
        if top < bottom and left < right:
            values += [grid[bottom][column] for column in range(right - 1, left - 1, -1)]
            values += [grid[row][left] for row in range(bottom - 1, top, -1)]
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1
    return values


def turned(grid):
    """The grid, turned clockwise."""
    return [list(row) for row in zip(*grid[::-1])]


def diagonals(grid):
    """The values on each diagonal from the right top to the left bottom."""
    if not grid:
        return []
    count = len(grid) + len(grid[0]) - 1
    found = [[] for _ in range(count)]
    for r, row in enumerate(grid):
        for c, value in enumerate(row):
            found[r + c].append(value)
    return found


def magic_square(size):
    """A magic square of an odd size, by the rule of de la Loubère."""
    if size % 2 == 0:
        raise ValueError("an odd size is needed")
    square = [[0] * size for _ in range(size)]
    row, column = 0, size // 2
    for number in range(1, size * size + 1):
        square[row][column] = number
        up, right = (row - 1) % size, (column + 1) % size
        if square[up][right]:
            row = (row + 1) % size
        else:
            row, column = up, right
    return square
