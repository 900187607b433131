"""Prime numbers by the sieve of Eratosthenes."""

from math import isqrt


def primes_below(limit):
    """All primes that are smaller than the limit."""
    is_prime = [True] * max(limit, 0)
    is_prime[:2] = [False] * len(is_prime[:2])
    for number in range(2, isqrt(max(limit, 0)) + 1):
        if not is_prime[number : number + 1] or not is_prime[number]:
            continue
        for multiple in range(number * number, limit, number):
            is_prime[multiple] = False
    return [number for number, prime in enumerate(is_prime) if prime]


def twin_primes(limit):
    """Pairs of primes with a difference of two, both smaller than the limit."""
    primes = primes_below(limit)
    return [(a, b) for a, b in zip(primes, primes[1:]) if b - a == 2]


def goldbach(even):
    """Two primes whose sum is an even number from 4 on, the smaller one as small as can be."""
    if even < 4 or even % 2:
        raise ValueError("an even number from 4 on is needed")
    primes = set(primes_below(even))
    return next((p, even - p) for p in sorted(primes) if even - p in primes)
