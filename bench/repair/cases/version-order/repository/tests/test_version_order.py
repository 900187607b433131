import unittest

from version_order import newest, parse_version, version_key


def ordered(*versions):
    return sorted(versions, key=version_key)


class VersionOrderTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_version("1.20.3"), (1, 20, 3, []))

    def test_parse_label(self):
        self.assertEqual(parse_version("v1.0.0-rc.2"), (1, 0, 0, ["rc", "2"]))

    def test_no_version(self):
        with self.assertRaises(ValueError):
            parse_version("1.2")

    def test_no_leading_zero(self):
        with self.assertRaises(ValueError):
            parse_version("1.02.3")

    def test_by_number(self):
        self.assertEqual(ordered("1.10.0", "1.9.9", "1.9.10"), ["1.9.9", "1.9.10", "1.10.0"])

    def test_label_before_release(self):
        self.assertEqual(ordered("1.0.0", "1.0.0-rc.1"), ["1.0.0-rc.1", "1.0.0"])

    def test_labels(self):
        labels = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11"]
        self.assertEqual(ordered(*reversed(labels)), labels)

    def test_release_before_the_next_label(self):
        self.assertEqual(ordered("1.0.1-a", "1.0.0"), ["1.0.0", "1.0.1-a"])

    def test_newest(self):
        self.assertEqual(newest(["0.9.0", "1.0.0", "2.0.0-beta"]), "1.0.0")

    def test_newest_with_labels(self):
        self.assertEqual(newest(["1.0.0", "2.0.0-beta"], allow_labels=True), "2.0.0-beta")

    def test_newest_is_the_release(self):
        self.assertEqual(newest(["2.0.0-rc.1", "2.0.0"], allow_labels=True), "2.0.0")

    def test_newest_of_nothing(self):
        self.assertIsNone(newest([]))
