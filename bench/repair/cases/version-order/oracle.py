def calls(random):
    def version():
        numbers = ".".join(str(random.choice([0, 1, 2, 10])) for _ in range(3))
        return numbers + random.choice(["", "", "-a", "-a.1", "-a.b", "-2", "-11", "-b.2"])

    for _ in range(200):
        versions = list(dict.fromkeys(version() for _ in range(random.randint(0, 7))))
        yield lambda program: sorted(versions, key=program.version_key)
        yield "newest", versions
        yield "newest", versions, True
        yield "parse_version", version() + random.choice(["", "x", ".1"])
