from datetime import timedelta


def calls(random):
    def part(unit):
        return f"{random.randint(0, 70)}{unit}" if random.random() < 0.5 else ""

    for _ in range(300):
        text = random.choice(["", "", "-"]) + "P" + part("W") + part("D")
        if random.random() < 0.8:
            text += "T" + part("H") + part("M") + part("S")
        yield "parse_duration", text
        yield "format_duration", timedelta(seconds=random.randint(-200000, 200000))
    for seconds in (0, 1, 59, 60, 61, 3599, 3600, 3601, 86399, 86400, 86401):
        yield "format_duration", timedelta(seconds=seconds)
