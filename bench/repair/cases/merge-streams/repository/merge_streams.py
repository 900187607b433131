"""Merging sorted streams into one."""

import heapq


def merge_streams(streams):
    """Values of several sorted iterables in order; equal values by the order of the streams."""
    iterators = [iter(stream) for stream in streams]
    heap = []
    for index, iterator in enumerate(iterators):
        for value in iterator:
            heapq.heappush(heap, (value, index))
            break
    while heap:
        value, source = heapq.heappop(heap)
        yield value
        following = next(iterators[source], None)
        if following is not None:
            heapq.heappush(heap, (following, source))


def merge_unique(streams):
    """As merge_streams, but each value once."""
    last = None
    for value in merge_streams(streams):
        if value != last:
            yield value
        last = value


def first_values(streams, count):
    """The smallest values of all streams; no more is read than needed."""
    values = []
    for value in merge_streams(streams):
        if len(values) == count:
            break
        values.append(value)
    return values
