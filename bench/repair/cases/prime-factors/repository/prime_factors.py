"""Prime factors and what follows from them."""


def prime_factors(number):
    """The prime factors of a positive whole number, in order, as often as they are in it."""
    if number < 1:
        raise ValueError("a positive number is needed")
    factors = []
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors.append(divisor)
            number //= divisor
        divisor += 1
    if number > 1:
        factors.append(number)
    return factors


def count_divisors(number):
    """How many numbers divide a number, 1 and itself with them."""
    factors = prime_factors(number)
    count = 1
    for prime in set(factors):
        count *= factors.count(prime) + 1
    return count


def as_text(number):
    """The factors as in "2^3 * 5"; 1 has none and stays as it is."""
    factors = prime_factors(number)
    parts = []
    for prime in sorted(set(factors)):
        power = factors.count(prime)
        parts.append(f"{prime}^{power}" if power > 1 else str(prime))
    return " * ".join(parts) or "1"
