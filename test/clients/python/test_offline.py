"""Options of verify and headers of webhooks that are malformed."""

import time
import unittest

import proofmark

ACCOUNT = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"
LIST_KEY = "ED2677ABFFD1B33AC6FBC3062B71F1E8397C1505E1C42C64D11AD1B28FF73F4734"


class Offline(unittest.TestCase):
    def test_a_malformed_account_or_key_is_an_error_and_no_verdict(self):
        for name, given in (
                ("accounts", ACCOUNT), ("accounts", [ACCOUNT[:-1]]), ("accounts", [ACCOUNT[:-1] + "H"]),
                ("accounts", [ACCOUNT, ""]), ("accounts", [" " + ACCOUNT]), ("accounts", ["r" + "z" * 34]), ("accounts", [None]),
                ("validator_list_keys", LIST_KEY), ("validator_list_keys", [LIST_KEY[1:]]), ("validator_list_keys", [LIST_KEY[:-1] + "G"]),
                ("validator_list_keys", [b"ED"]), ("log_keys", "log.example+1234abcd+AAAA"), ("issuer_keys", "a"), ("log_keys", ["a"])):
            with self.assertRaises(proofmark.CannotVerify, msg=(name, given)) as caught:
                proofmark.verify(None, b"{}", **{name: given})
            self.assertEqual(caught.exception.kind, "options", (name, given))
        with self.assertRaisesRegex(proofmark.CannotVerify, "accounts must be a list"):
            proofmark.verify(None, b"{}", accounts=ACCOUNT)

    def test_genuine_accounts_and_keys_are_accepted(self):
        accounts = [ACCOUNT, "rrrrrrrrrrrrrrrrrrrrrhoLvTp", "rrrrrrrrrrrrrrrrrrrrBZbvji", "rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe"]
        with self.assertRaises(proofmark.CannotVerify) as caught:
            proofmark.verify(None, b"{}", accounts=tuple(accounts), validator_list_keys=[LIST_KEY, LIST_KEY.lower()])
        self.assertEqual(caught.exception.kind, "bundle")

    def test_a_header_of_a_webhook_that_is_no_text_is_not_genuine(self):
        headers = {"webhook-id": "1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,aaaa"}
        for name in headers:
            # As frameworks decode a header with the byte E9.
            for odd in ("\udce9", "\ud800", "\xe9"):
                with self.assertRaises(proofmark.NotGenuine, msg=(name, odd)):
                    proofmark.verify_webhook("whsec_AAAA", {**headers, name: headers[name] + odd}, b"{}")


if __name__ == "__main__":
    unittest.main()
