import unittest

from role_rights import all_roles, grants, has_cycle, may, who_may

ROLES = {
    "guest": {"may": ["page:read"]},
    "author": {"holds": ["guest"], "may": ["page:write", "image:*"]},
    "trainee": {"holds": ["author"], "denies": ["image:delete"]},
    "admin": {"may": ["*"]},
}


class RoleRightsTest(unittest.TestCase):
    def test_roles(self):
        self.assertEqual(all_roles(ROLES, "trainee"), ["trainee", "author", "guest"])

    def test_unknown_role(self):
        self.assertEqual(all_roles(ROLES, "ghost"), [])

    def test_same_right(self):
        self.assertTrue(grants("page:read", "page:read"))

    def test_all_actions(self):
        self.assertTrue(grants("image:*", "image:delete"))

    def test_another_thing(self):
        self.assertFalse(grants("image:*", "page:delete"))

    def test_everything(self):
        self.assertTrue(grants("*", "page:delete"))

    def test_may_by_another_role(self):
        self.assertTrue(may(ROLES, "author", "page:read"))

    def test_may_not(self):
        self.assertFalse(may(ROLES, "guest", "page:write"))

    def test_denied(self):
        self.assertFalse(may(ROLES, "trainee", "image:delete"))

    def test_who_may(self):
        self.assertEqual(who_may(ROLES, "image:delete"), ["admin", "author"])

    def test_no_cycle(self):
        self.assertFalse(has_cycle(ROLES))

    def test_cycle(self):
        self.assertTrue(has_cycle({"a": {"holds": ["b"]}, "b": {"holds": ["a"]}}))
