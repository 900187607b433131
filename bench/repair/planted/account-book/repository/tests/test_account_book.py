import unittest

from account_book import Account, interest, transfer


class AccountBookTest(unittest.TestCase):
    def setUp(self):
        self.account = Account(100)
        self.account.book(500, "wage")

    def test_books(self):
        self.assertEqual(self.account.balance, 500)

    def test_books_down_to_the_limit(self):
        self.assertTrue(self.account.book(-600, "rent"))
        self.assertEqual(self.account.balance, -100)

    def test_does_not_book_below_the_limit(self):
        self.assertFalse(self.account.book(-700, "rent"))
        self.assertEqual(self.account.entries, [("wage", 500, 500)])

    def test_lowest(self):
        self.account.book(-550, "rent")
        self.account.book(300, "wage")
        self.assertEqual(self.account.lowest(), -50)

    def test_sums(self):
        self.account.book(-30, "food")
        self.account.book(-20, "food")
        self.assertEqual(self.account.sums(), [("wage", 500), ("food", -50)])

    def test_transfer(self):
        other = Account()
        self.assertTrue(transfer(self.account, other, 200, 5))
        self.assertEqual((self.account.balance, other.balance), (295, 200))

    def test_transfer_of_too_much(self):
        other = Account()
        self.assertFalse(transfer(self.account, other, 900))
        self.assertEqual((self.account.balance, other.balance), (500, 0))

    def test_transfer_of_nothing(self):
        with self.assertRaises(ValueError):
            transfer(self.account, Account(), 0)

    def test_interest(self):
        self.assertEqual(interest(100_000, 73), 600)

    def test_interest_of_debts(self):
        self.assertEqual(interest(-10_000, 365), -1_200)
