"""Numbers in bins, as bars of a text."""


def bins(values, width):
    """How many values are in each bin of a width: {start: count}, by start; empty bins between others count 0."""
    if not values:
        return {}
    starts = [value // width * width for value in values]
    counts = {start: 0 for start in range(min(starts), max(starts) + 1, width)}
    for start in starts:
        counts[start] += 1
    return counts


def bars(counts, longest=20):
    """A line for each bin; the longest bar has a fixed length, and no bar of a value is empty."""
    most = max(counts.values(), default=0)
    lines = []
    for start, count in counts.items():
        length = 0 if count == 0 else max(1, count * longest // most)
        lines.append(f"{start:>4} {'#' * length}".rstrip())
    return lines


def percentile(values, percent):
    """The smallest value that is not smaller than so many percent of all."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * percent // 100))
    return ordered[rank - 1]


def median(values):
    """The value in the middle, or the mean of both."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def outliers(values):
    """The values that are more than three times the median."""
    return [value for value in values if value > 3 * median(values)]
