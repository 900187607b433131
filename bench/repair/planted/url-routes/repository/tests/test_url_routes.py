import unittest

from url_routes import build, match, parts_of, route, weight

PATTERNS = ["/users/:id", "/users/new", "/files/*", "/"]


class UrlRoutesTest(unittest.TestCase):
    def test_parts(self):
        self.assertEqual(parts_of("/a//b/"), ["a", "b"])

    def test_a_fixed_path(self):
        self.assertEqual(match("/users/new", "/users/new"), {})

    def test_another_path(self):
        self.assertIsNone(match("/users/new", "/users/old"))

    def test_a_parameter(self):
        self.assertEqual(match("/users/:id", "/users/7"), {"id": "7"})

    def test_a_longer_path(self):
        self.assertIsNone(match("/users/:id", "/users/7/edit"))

    def test_a_shorter_path(self):
        self.assertIsNone(match("/users/:id", "/users"))

    def test_the_rest(self):
        self.assertEqual(match("/files/*", "/files/a/b"), {"rest": "a/b"})

    def test_weight(self):
        self.assertEqual(weight("/a/:b/*"), (2, 1, 0))

    def test_the_most_special(self):
        self.assertEqual(route(PATTERNS, "/users/new"), ("/users/new", {}))

    def test_no_route(self):
        self.assertIsNone(route(PATTERNS, "/about"))

    def test_builds(self):
        self.assertEqual(build("/users/:id/*", {"id": 7, "rest": "a/b"}), "/users/7/a/b")

    def test_builds_the_root(self):
        self.assertEqual(build("/", {}), "/")
