import unittest

from merge_streams import first_values, merge_streams, merge_unique


def merged(*streams):
    return list(merge_streams(streams))


class MergeStreamsTest(unittest.TestCase):
    def test_no_streams(self):
        self.assertEqual(merged(), [])

    def test_empty_streams(self):
        self.assertEqual(merged([], []), [])

    def test_one_stream(self):
        self.assertEqual(merged([1, 2, 3]), [1, 2, 3])

    def test_two_streams(self):
        self.assertEqual(merged([1, 4, 6], [2, 3, 5]), [1, 2, 3, 4, 5, 6])

    def test_an_empty_stream_among_others(self):
        self.assertEqual(merged([2], [], [1, 3]), [1, 2, 3])

    def test_three_streams(self):
        self.assertEqual(merged([1, 7], [4, 5, 9], [2]), [1, 2, 4, 5, 7, 9])

    def test_zero_is_a_value(self):
        self.assertEqual(merged([-1, 0, 1], [0]), [-1, 0, 0, 1])

    def test_generators(self):
        self.assertEqual(merged((n * n for n in range(4)), iter([3, 5])), [0, 1, 3, 4, 5, 9])

    def test_unique(self):
        self.assertEqual(list(merge_unique([[1, 1, 2], [1, 2, 3]])), [1, 2, 3])

    def test_first_values(self):
        self.assertEqual(first_values([[1, 5], [2, 3]], 3), [1, 2, 3])

    def test_more_than_there_are(self):
        self.assertEqual(first_values([[1], [0]], 9), [0, 1])
