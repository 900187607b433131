def calls(random):
    for _ in range(250):
        yield "power_modulo", random.randint(-20, 20), random.randint(-1, 60), random.randint(0, 50)
        yield "inverse", random.randint(-20, 40), random.randint(1, 30)
        yield "is_probable_prime", random.randint(-3, 600)
