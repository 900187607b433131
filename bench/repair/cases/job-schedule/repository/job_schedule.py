"""Choosing jobs that do not overlap."""

from bisect import bisect_left, bisect_right


def best_profit(jobs):
    """The most that jobs (start, end, profit) earn when no two overlap; touching is fine."""
    ordered = sorted(jobs, key=lambda job: job[1])
    ends = [end for _, end, _ in ordered]
    # best[i] is for the first i jobs
    best = [0]
    for start, _, profit in ordered:
        compatible = bisect_right(ends, start, hi=len(best) - 1)
        best.append(max(best[-1], best[compatible] + profit))
    return best[-1]


def most_jobs(jobs):
    """How many jobs can be done at most: always the one that ends first."""
    count, free_from = 0, None
    for start, end, _ in sorted(jobs, key=lambda job: job[1]):
        if free_from is None or start >= free_from:
            count += 1
            free_from = end
    return count


def running_at(jobs, time):
    """How many jobs run at a time; a job does not run any more when it ends."""
    starts = sorted(start for start, _, _ in jobs)
    ends = sorted(end for _, end, _ in jobs)
    return bisect_right(starts, time) - bisect_left(ends, time + 1)
