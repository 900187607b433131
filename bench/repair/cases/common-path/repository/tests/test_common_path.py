import unittest

from common_path import common_path, parts_of, relative


class CommonPathTest(unittest.TestCase):
    def test_parts(self):
        self.assertEqual(parts_of("a/b//c/"), ["a", "b", "c"])

    def test_parts_with_dots(self):
        self.assertEqual(parts_of("./a/../b"), ["b"])

    def test_parts_above(self):
        self.assertEqual(parts_of("../../a"), ["..", "..", "a"])

    def test_no_paths(self):
        self.assertEqual(common_path([]), "")

    def test_one_path(self):
        self.assertEqual(common_path(["a/b"]), "a/b")

    def test_same_folder(self):
        self.assertEqual(common_path(["src/a.py", "src/b.py"]), "src")

    def test_one_inside_the_other(self):
        self.assertEqual(common_path(["src/lib", "src/lib/x/y"]), "src/lib")

    def test_nothing_in_common(self):
        self.assertEqual(common_path(["a", "b"]), "")

    def test_the_same_name_deeper(self):
        self.assertEqual(common_path(["a/x/test", "a/y/test"]), "a")

    def test_the_same_end_alone(self):
        self.assertEqual(common_path(["a/test", "b/test"]), "")

    def test_half_a_name(self):
        self.assertEqual(common_path(["src/abc", "src/abd"]), "src")

    def test_relative(self):
        self.assertEqual(relative("a/b/c", "a/x/y"), "../../b/c")

    def test_relative_to_itself(self):
        self.assertEqual(relative("a/b", "a/b"), ".")

    def test_relative_below(self):
        self.assertEqual(relative("a/b", ""), "a/b")
