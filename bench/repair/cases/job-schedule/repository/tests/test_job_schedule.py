import unittest

from job_schedule import best_profit, most_jobs, running_at


class JobScheduleTest(unittest.TestCase):
    def test_no_jobs(self):
        self.assertEqual(best_profit([]), 0)

    def test_one_job(self):
        self.assertEqual(best_profit([(1, 3, 50)]), 50)

    def test_apart(self):
        self.assertEqual(best_profit([(1, 2, 50), (3, 5, 20)]), 70)

    def test_overlapping(self):
        self.assertEqual(best_profit([(1, 4, 50), (3, 5, 60)]), 60)

    def test_touching(self):
        self.assertEqual(best_profit([(1, 3, 50), (3, 5, 20)]), 70)

    def test_one_against_two(self):
        self.assertEqual(best_profit([(1, 9, 100), (1, 4, 40), (5, 9, 70)]), 110)

    def test_a_chain_that_touches(self):
        self.assertEqual(best_profit([(1, 2, 1), (2, 3, 1), (3, 4, 1), (1, 4, 2)]), 3)

    def test_textbook(self):
        jobs = [(1, 3, 50), (2, 4, 10), (3, 5, 40), (3, 6, 70)]
        self.assertEqual(best_profit(jobs), 120)

    def test_order_does_not_matter(self):
        self.assertEqual(best_profit([(6, 9, 5), (1, 2, 5), (3, 5, 5)]), 15)

    def test_most_jobs(self):
        self.assertEqual(most_jobs([(1, 9, 100), (1, 4, 1), (4, 5, 1), (4, 6, 1)]), 2)

    def test_running(self):
        self.assertEqual(running_at([(1, 5, 0), (3, 8, 0), (5, 6, 0)], 4), 2)

    def test_running_at_an_end(self):
        self.assertEqual(running_at([(1, 5, 0), (3, 8, 0)], 5), 1)
