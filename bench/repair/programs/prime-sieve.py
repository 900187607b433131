# held-out
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

# tests
primes_below(8)  # [2, 3, 5, 7]
primes_below(5)  # [2, 3]
primes_below(10)  # [2, 3, 5, 7]
primes_below(7)  # [2, 3, 5]
twin_primes(20)  # [(3, 5), (5, 7), (11, 13), (17, 19)]
[goldbach(n) for n in (4, 6, 28, 98)]  # [(2, 2), (3, 3), (5, 23), (19, 79)]
# oracle
primes_below(num(-2, 180))
twin_primes(num(-2, 180))
goldbach(num(-2, 180))
# faults
# 6 missing statement: `is_prime[:2] = [False] * len(is_prime[:2])` ► ``
# 7 off by one: `) + 1` ► `)`
# 16 missing call: `primes_below(limit)` ► `limit`
