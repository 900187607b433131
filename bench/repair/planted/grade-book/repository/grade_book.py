"""Grades of a course, from 0 to 100 points."""

LETTERS = [(90, "A"), (80, "B"), (70, "C"), (60, "D")]


def letter(points):
    """The letter of points."""
    for least, name in LETTERS:
        if points >= least:
            return name
    return "F"


def mean(points, drop=0):
    """The mean without the lowest ones; 0 if none is left."""
    kept = sorted(points)[drop:]
    return sum(kept) / len(kept) if kept else 0


def final(homework, exams, weight=0.4):
    """The final points: homework without the lowest one if there are more than three, and exams."""
    drop = 1 if len(homework) > 3 else 0
    return round(mean(homework, drop) * weight + mean(exams) * (1 - weight), 1)


def curve(points):
    """The points of a class, moved up so that the best one has 100; none is moved down."""
    if not points:
        return []
    lift = max(0, 100 - max(points))
    return [min(100, one + lift) for one in points]


def report(students):
    """(name, final, letter) of each student, best first, then by name; a student is (name, homework, exams)."""
    rows = []
    for name, homework, exams in students:
        points = final(homework, exams)
        rows.append((name, points, letter(points)))
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def improved(exams):
    """How many exams were better than all before."""
    best = None
    count = 0
    for points in exams:
        if best is not None and points > best:
            count += 1
        best = points if best is None else max(best, points)
    return count
