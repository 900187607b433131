"""Arithmetic with remainders."""


def power_modulo(base, exponent, modulus):
    """base ** exponent % modulus by squaring; the exponent is not negative."""
    if modulus < 1 or exponent < 0:
        raise ValueError("the modulus is positive, the exponent is not negative")
    result = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent //= 2
    return result


def inverse(value, modulus):
    """The number that gives 1 with the value (extended Euclid); None when there is none."""
    old, new = (value % modulus, 1), (modulus, 0)
    while new[0]:
        quotient = old[0] // new[0]
        old, new = new, (old[0] - quotient * new[0], old[1] - quotient * new[1])
    return old[1] % modulus if old[0] == 1 else None


def is_probable_prime(number):
    """False for numbers that Fermat's little theorem gives away with the bases 2 and 3."""
    if number < 4:
        return number in (2, 3)
    return all(power_modulo(base, number - 1, number) == 1 for base in (2, 3))
