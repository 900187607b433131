def calls(random):
    for limit in range(-2, 180):
        yield "primes_below", limit
        yield "twin_primes", limit
        yield "goldbach", limit
