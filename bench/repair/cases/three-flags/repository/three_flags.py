"""Three-way partition (the Dutch national flag) and the quick sort built on it."""


def partition(values, start, end, pivot):
    """Orders values[start:end] in place: below, equal, above. Gives the bounds of the equals."""
    low, at, high = start, start, end
    while at < high:
        if values[at] < pivot:
            values[low], values[at] = values[at], values[low]
            low += 1
            at += 1
        elif values[at] > pivot:
            high -= 1
            values[at], values[high] = values[high], values[at]
        else:
            at += 1
    return low, high


def quick_sort(values):
    """A sorted copy."""
    ordered = list(values)
    pending = [(0, len(ordered))]
    while pending:
        start, end = pending.pop()
        if end - start < 2:
            continue
        low, high = partition(ordered, start, end, ordered[(start + end) // 2])
        pending.append((start, low))
        pending.append((high, end))
    return ordered
