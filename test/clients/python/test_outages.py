"""Batches while the ledger or the service is away, or slow."""

import json
import time
import unittest
from unittest import mock

import proofmark
from proofmark import _batches
from scripted_server import DATA, HASH, ServerCase, answering, cut, failure, never, proven


def files_with(count):
    return [proofmark.HashedFile("%064x" % number, 1, path=str(number)) for number in range(count)]


class Outages(ServerCase):
    def serve_items(self, items, said=()):
        """A client of a service with so many items left of the day; sizes of its batches, refused ones too."""
        left, sizes = [items], []

        def script(handler):
            body = json.loads(handler.server.seen[-1][3])
            status, headers, data = 200, {}, [{"hash": one, "proven": False} for one in body.get("hashes", ())]
            if "items" in body:
                sizes.append(len(body["items"]))
                if sizes[-1] > left[0]:
                    status, headers["Retry-After"] = 429, "40000"
                else:
                    left[0] -= sizes[-1]
                    data = [proven(one["hash"]) for one in body["items"]]
                headers["RateLimit"] = '"minute";r=50;t=60, "items";r=%d;t=40000, "organisation-items";r=99999;t=9' % left[0]
            text = json.dumps({"success": True, "data": data} if status == 200 else failure(429, "RATE_LIMIT_EXCEEDED")[2]).encode()
            handler.send_response(status)
            for name, value in dict(headers, **{"Content-Length": str(len(text))}).items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(text)
        return self.serve(script)[0], sizes

    def test_a_run_uses_all_items_of_the_day_and_ends_with_its_proofs(self):
        for items, sent in ((2500, [1000, 1000, 500, 1]), (500, [1000, 500, 1])):
            client, sizes = self.serve_items(items)
            shown = []
            with self.assertRaises(proofmark.NotAllProven) as caught:
                client.prove_all(files_with(3000), on_proof=shown.append)
            raised = caught.exception
            self.assertEqual((sizes, len(raised.proofs), raised.failed), (sent, items, []))
            self.assertEqual([proof.nonce for proof in raised.proofs], [DATA["proofNonce"]] * items)
            self.assertEqual((shown, raised.cause), (raised.proofs, raised.__cause__))
            self.assertEqual((type(raised.cause), raised.cause.retry_after), (proofmark.RateLimited, 40000))
            self.assertIn("ended after %d proven" % items, str(raised))

    def test_an_error_before_any_result_and_one_of_the_caller_are_raised_as_they_are(self):
        client, sizes = self.serve_items(0)
        with self.assertRaises(proofmark.RateLimited):
            client.prove_all(files_with(3))
        self.assertEqual(sizes, [3])
        client, _ = self.serve_items(9)
        with self.assertRaises(proofmark.ConnectionFailed):
            client.prove_all(files_with(3), on_proof=mock.Mock(side_effect=proofmark.ConnectionFailed("of the caller")))

    def test_a_run_that_loses_the_service_ends_with_its_proofs(self):
        files = files_with(1001)
        looked = [(200, {}, {"data": [{"hash": each.hash, "proven": False} for each in part]}) for part in (files[:1000], files[1000:])]
        batch = (200, {}, {"data": [proven(each.hash) for each in files[:1000]]})
        client, _ = self.serve(looked[0], batch, looked[1], failure(401, "INVALID_API_KEY"))
        with self.assertRaises(proofmark.NotAllProven) as caught:
            client.prove_all(files)
        self.assertEqual((len(caught.exception.proofs), type(caught.exception.cause)), (1000, proofmark.NotAllowed))

    def test_each_hash_has_its_one_retry_in_a_late_batch_too(self):
        away = {"status": 502, "retryAfterSeconds": 0, "body": failure(502, "XRPL_ERROR")[2]}
        broken = {"status": 500, "body": failure(500, "INTERNAL_ERROR")[2]}
        files = files_with(3)
        for often in (1, 2):
            count = {each.hash: 0 for each in files}

            def decide(one, batch, look_up):
                if look_up:
                    return None
                count[one] += 1
                # The first one is proven at once. The others find the ledger away once or twice, and fail then.
                index = int(one, 16)
                return proven(one) if index == 0 or count[one] > index + often else away if count[one] <= index else broken
            client, sizes, _ = self.serve_batches(decide)
            with mock.patch("proofmark._batches.time.sleep"):
                if often == 1:
                    self.assertEqual(len(client.prove_all(files)), 3)
                    continue
                with self.assertRaises(proofmark.NotAllProven) as caught:
                    client.prove_all(files)
            self.assertEqual([each.error.code for each in caught.exception.failed], ["INTERNAL_ERROR"] * 2)

    def test_waiting_for_a_proof_ends_in_time_although_the_service_is_away(self):
        client, seen = self.serve(cut, timeout=60)
        started = time.monotonic()
        with self.assertRaises(proofmark.ProofTimeout) as caught:
            client.wait_for_proof("P1", timeout=1)
        self.assertLess(time.monotonic() - started, 5)
        self.assertEqual((caught.exception.proof_id, type(caught.exception.__cause__)), ("P1", proofmark.ConnectionFailed))
        self.assertGreater(len(seen), 1)

    def test_waiting_for_a_proof_ends_in_time_although_the_service_never_answers(self):
        queued = (200, {}, {"success": True, "data": {"proofId": "P1", "blockchainStatus": "processing"}})
        for script in ([never], [queued, never]):
            client, seen = self.serve(*script)
            started = time.monotonic()
            with self.assertRaises(proofmark.ProofTimeout) as caught:
                client.wait_for_proof("P1", timeout=1.5)
            self.assertLess(time.monotonic() - started, 4)
            self.assertEqual((caught.exception.proof_id, len(seen)), ("P1", len(script)))
            self.assertIsInstance(caught.exception.__cause__, proofmark.ConnectionFailed)

    def test_a_shorter_time_for_one_answer_is_kept_while_a_proof_is_awaited(self):
        done = (200, {}, {"success": True, "data": {"proofId": "P1", "blockchainStatus": "completed"}})
        client, seen = self.serve(never, done, attempt_timeout=0.3)
        started = time.monotonic()
        self.assertEqual(client.wait_for_proof("P1", timeout=30)["proofId"], "P1")
        self.assertLess(time.monotonic() - started, 5)
        self.assertEqual(len(seen), 2)

    def test_foreign_answers_are_no_answers_of_the_service(self):
        for body in ({}, {"data": None}, {"data": []}, {"data": [1]}, {"data": {}}, {"data": "a"}, {"data": [{"name": "W"}]}):
            client, _ = self.serve((200, {}, body), workspace=None)
            calls = [lambda: client.wait_for_proof("P1"), lambda: client.record_run("1", anchor=True), lambda: client.prove(b"a")]
            if not isinstance(body.get("data"), dict):
                calls.append(lambda: client.record_run("1"))
            for call in calls[:1] if body == {"data": []} else calls:
                with self.assertRaises(proofmark.ConnectionFailed, msg=body):
                    call()

    def serve_batches(self, decide):
        """A client of a service that decides about each item of its n-th batch; sizes of batches, and look-ups."""
        sizes, looked = [], []

        def answer(handler):
            body = json.loads(handler.server.seen[-1][3])
            if "hashes" in body:
                looked.append(body["hashes"])
                data = [{"hash": one, "proven": False, "proofId": decide(one, len(sizes), len(looked))} for one in body["hashes"]]
                return (200, {}, {"success": True, "data": data})
            sizes.append(len(body["items"]))
            return (200, {}, {"success": True, "data": [decide(one["hash"], len(sizes), None) for one in body["items"]]})
        client, _ = self.serve(answering(answer))
        return client, sizes, looked

    def test_an_outage_costs_the_items_of_one_hash_at_a_time(self):
        away = {"status": 502, "retryAfterSeconds": 5, "body": failure(502, "XRPL_ERROR")[2]}
        files = [proofmark.HashedFile("%064x" % number, 1) for number in range(1000)]

        def decide(one, batch, look_up):
            return None if look_up else away if batch <= 24 else proven(one)
        client, sizes, _ = self.serve_batches(decide)
        slept = []
        with mock.patch("proofmark._batches.time.sleep", slept.append):
            self.assertEqual(len(client.prove_all(files)), 1000)
        self.assertEqual(sizes, [1000] + [1] * 24 + [999])
        self.assertGreaterEqual(min(slept), 5)
        self.assertGreater(max(slept), 7)

    def test_a_hash_that_is_refused_each_time_stops_no_other_and_all_end_in_time(self):
        away = {"status": 502, "retryAfterSeconds": 0, "body": failure(502, "XRPL_ERROR")[2]}
        files = [proofmark.HashedFile("%064x" % number, 1, path=str(number)) for number in range(4)]
        for works in (True, False):
            def decide(one, batch, look_up):
                return None if look_up else proven(one) if works and batch > 2 and one != files[0].hash else away
            client, sizes, _ = self.serve_batches(decide)
            with mock.patch.object(_batches, "backoff", lambda _: 0.02), self.assertRaises(proofmark.NotAllProven) as caught:
                client.prove_all(files, timeout=0.5)
            failed = [each.path for each in caught.exception.failed]
            self.assertEqual(sorted(failed), ["0"] if works else ["0", "1", "2", "3"])
            self.assertEqual(sizes[:4], [4, 1, 1, 3] if works else [4, 1, 1, 1])
            self.assertEqual(set(sizes[4:]), {1})

    def test_queued_hashes_are_awaited_by_look_ups_which_cost_no_items(self):
        queued = {"status": 502, "body": dict(failure(502, "PROOF_NOT_RECORDED")[2], proofId="P1")}
        files = [proofmark.HashedFile("%064x" % number, 1) for number in range(3)]

        def decide(one, batch, look_up):
            if look_up:
                return "P1" if 1 < look_up < 5 and one == files[0].hash else None
            return queued if batch == 1 and one == files[0].hash else proven(one)
        client, sizes, looked = self.serve_batches(decide)
        with mock.patch.object(_batches, "LATER_SECONDS", 0.02):
            self.assertEqual(len(client.prove_all(files)), 3)
        self.assertEqual((sizes, len(looked)), ([3, 1], 5))

    def test_a_hash_that_stays_queued_fails_in_time_and_is_not_sent_again(self):
        queued = {"status": 502, "body": dict(failure(502, "PROOF_NOT_RECORDED")[2], proofId="P1")}
        client, sizes, _ = self.serve_batches(lambda one, batch, look_up: "P1" if look_up else queued)
        with mock.patch.object(_batches, "LATER_SECONDS", 0.05), self.assertRaises(proofmark.NotAllProven) as caught:
            client.prove_all([proofmark.HashedFile(HASH, 1)], timeout=0.3)
        self.assertEqual((caught.exception.failed[0].error.proof_id, sizes), ("P1", [1]))

    def test_a_hash_that_stays_queued_takes_no_other_proof_along(self):
        hashes = ["%064x" % number for number in range(3)]
        queued = {"status": 502, "body": dict(failure(502, "PROOF_NOT_RECORDED")[2], proofId="P1")}

        def decide(one, batch, look_up):
            if look_up:
                return "P1" if one == hashes[2] or look_up == 2 else None
            return queued if one == hashes[2] or batch == 1 else proven(one)
        client, sizes, _ = self.serve_batches(decide)
        shown = []
        with mock.patch.object(_batches, "LATER_SECONDS", 0.05), self.assertRaises(proofmark.NotAllProven) as caught:
            client.prove_all([proofmark.HashedFile(one, 1) for one in hashes], timeout=0.5, on_proof=shown.append)
        self.assertEqual([one.error.proof_id for one in caught.exception.failed], ["P1"])
        self.assertEqual(([one.hash for one in shown], sizes), (hashes[:2], [3, 2]))
        self.assertTrue(all(one.nonce for one in shown))


if __name__ == "__main__":
    unittest.main()
