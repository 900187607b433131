def calls(random):
    rights = ["*", "page:*", "page:read", "page:write", "image:*", "image:read"]
    names = ["a", "b", "c", "d"]
    for _ in range(150):
        roles = {}
        for name in names[: random.randint(1, 4)]:
            role = {}
            if random.random() < 0.7:
                role["holds"] = random.sample(names, random.randint(0, 2))
            if random.random() < 0.7:
                role["may"] = random.sample(rights, random.randint(0, 2))
            if random.random() < 0.3:
                role["denies"] = [random.choice(rights[1:])]
            roles[name] = role
        wanted = random.choice(rights[2:4] + ["image:read", "image:delete", "pages:read"])
        yield "all_roles", roles, random.choice(names)
        yield "grants", random.choice(rights), wanted
        yield "may", roles, random.choice(names), wanted
        yield "who_may", roles, wanted
        yield "has_cycle", roles
