def calls(random):
    def text():
        return "".join(random.choices("ab", k=random.randint(0, 9)))

    for _ in range(250):
        yield "longest_palindrome", text() + random.choice("abc") + text()
        yield "longest_palindrome", text()
        yield "complete", text()
        yield "is_palindrome", "".join(random.choices("aAb ,", k=random.randint(0, 5)))
