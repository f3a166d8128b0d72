"""The client against a server that fails in every way."""

import contextlib
import json
import os
import tempfile
import time
import unittest
from email.utils import formatdate
from unittest import mock

import proofmark
from proofmark import _proving
from proofmark._advice import RULES
from scripted_server import DATA, DONE, HASH, ServerCase, cut, cut_in_body, cut_in_chunk, drip, failure, never


class Faults(ServerCase):
    def test_429_is_repeated_once_after_its_seconds(self):
        client, seen = self.serve(failure(429, "RATE_LIMIT_EXCEEDED", Retry_After="1"), DONE)
        started = time.monotonic()
        client.get_proof("P")
        self.assertGreaterEqual(time.monotonic() - started, 1)
        self.assertEqual(len(seen), 2)

    def test_a_second_429_is_raised_with_its_seconds(self):
        client, seen = self.serve(failure(429, "RATE_LIMIT_EXCEEDED", Retry_After="0"))
        with self.assertRaises(proofmark.RateLimited) as caught:
            client.get_proof("P")
        self.assertEqual((len(seen), caught.exception.retry_after), (2, 0))

    def test_a_wait_beyond_the_time_of_the_call_is_raised_at_once(self):
        client, seen = self.serve(failure(429, "RATE_LIMIT_EXCEEDED", Retry_After="50000"))
        with self.assertRaises(proofmark.RateLimited) as caught:
            client.get_proof("P")
        self.assertEqual((len(seen), caught.exception.retry_after), (1, 50000))

    def test_no_call_is_sent_while_no_request_is_left(self):
        limit = {"RateLimit": '"minute";r=0;t=1, "items";r=0;t=9, "day";r=9871;t=51830'}
        client, _ = self.serve((200, limit, {"success": True, "data": DATA}), DONE)
        started = time.monotonic()
        client.get_proof("P")
        self.assertLess(time.monotonic() - started, 0.9)
        client.get_proof("P")
        self.assertGreaterEqual(time.monotonic() - started, 1)

    def test_retry_after_may_be_a_date(self):
        client, seen = self.serve(failure(503, "SERVICE_UNAVAILABLE", Retry_After=formatdate(time.time() + 1, usegmt=True)), DONE)
        client.get_proof("P")
        self.assertEqual(len(seen), 2)

    def test_each_code_is_repeated_as_the_advice_says(self):
        for code, (status, rule) in RULES.items():
            for idempotent in (True, False):
                client, seen = self.serve(failure(status, code, Retry_After="0"), failure(status, code, Retry_After="0"), DONE)
                with mock.patch("proofmark._calls.time.sleep"), contextlib.suppress(proofmark.ApiError):
                    client._json("POST", ("/proofs", []), body={}, idempotent=idempotent)
                most = {"never": 1, "later": 1, "once": 2, "once after Retry-After": 2,
                        "once if idempotent": 2 if idempotent else 1, "soon": 3, "after Retry-After": 3,
                        "after Retry-After if idempotent": 3 if idempotent else 1}[rule]
                self.assertEqual(len(seen), most, (code, idempotent))

    def test_a_state_that_comes_soon_is_asked_for_six_times(self):
        for headers, pause in (({}, 3), ({"Retry_After": "1"}, 1)):
            client, seen = self.serve(failure(409, "PROOF_NOT_ATTESTED", **headers), timeout=120)
            slept = []
            with mock.patch("proofmark._calls.time.sleep", slept.append), self.assertRaises(proofmark.Conflict):
                client.get_proof_xpop("P")
            self.assertEqual((len(seen), slept), (6, [pause] * 5))

    def test_a_proxy_without_a_code_is_asked_again_only_for_repeatable_calls(self):
        page = (502, {"Content-Type": "text/html"}, b"<h1>Bad Gateway</h1>")
        client, seen = self.serve(page, DONE)
        client.get_proof("P")
        self.assertEqual(len(seen), 2)
        client, seen = self.serve(page, DONE)
        with self.assertRaises(proofmark.ServiceFailed) as caught:
            client.create_api_key({"scopes": ["documents:read"]})
        self.assertEqual((len(seen), caught.exception.code), (1, ""))

    def test_cut_connections_are_repeated_only_for_repeatable_calls(self):
        for fault in (cut, cut_in_body, cut_in_chunk):
            client, seen = self.serve(fault, DONE)
            client.get_proof("P")
            self.assertEqual(len(seen), 2, fault)
            client, seen = self.serve(fault, DONE)
            with self.assertRaises(proofmark.ConnectionFailed):
                client.create_api_key({"scopes": ["documents:read"]})
            self.assertEqual(len(seen), 1, fault)

    def test_slow_and_silent_servers_end_in_time(self):
        ok = b"HTTP/1.1 200 OK\r\n"
        length = b"Content-Length: 99999\r\n"
        # An answer without a length ends with its connection, so a late end must not look like a whole answer.
        heads = [b"X-Long: ", length + b"\r\n", length + b"Connection: close\r\n\r\n", b"\r\n"]
        for fault in [never] + [drip(ok + head) for head in heads]:
            client, _ = self.serve(fault, attempt_timeout=0.4, timeout=1)
            for call in (client.get_proof, client.certificate):
                started = time.monotonic()
                with self.assertRaisesRegex(proofmark.ConnectionFailed, "within 0.4 seconds"):
                    call("P")
                self.assertLess(time.monotonic() - started, 4)

    def test_no_request_id_is_sent_since_the_service_gives_one_to_each_request(self):
        answer = failure(404, "PROOF_NOT_FOUND", X_Request_Id="01M7XT7V0YJ4K5M6N7P8Q9R0ST")
        client, seen = self.serve(answer)
        with self.assertRaises(proofmark.NotFound) as caught:
            client.get_proof("P")
        self.assertEqual(caught.exception.request_id, "01M7XT7V0YJ4K5M6N7P8Q9R0ST")
        self.assertNotIn("x-request-id", [name.lower() for name in seen[0][2]])

    def test_a_redirect_is_not_followed_with_the_key(self):
        other, others_seen = self.serve(DONE)
        client, seen = self.serve((302, {"Location": other._server + "/"}, {}))
        with self.assertRaises(proofmark.ApiError):
            client.get_proof("P")
        self.assertEqual((len(seen), len(others_seen)), (1, 0))

    def test_proxies_are_named_as_usual(self):
        client, seen = self.serve(DONE)
        proxy = client._server.replace("http://", "")
        behind = proofmark.Proofmark("http://proofs.example", workspace="W")
        for named, sent in ((proxy, None), ("http://" + proxy, None), ("http://u:p%40s@" + proxy, "Basic dTpwQHM="),
                            ("u:p%40s@" + proxy, "Basic dTpwQHM=")):
            with mock.patch.dict(os.environ, {"http_proxy": named, "no_proxy": ""}):
                behind.get_proof("P")
            (method, target, headers, _), (_, path, inner, _) = seen[-2:]
            self.assertEqual((method, target, path), ("CONNECT", "proofs.example:80", "/api/v1/proofs/P"), named)
            self.assertEqual((headers.get("Proxy-Authorization"), inner.get("Proxy-Authorization")), (sent, None), named)

    def test_neither_key_nor_nonce_is_shown_by_repr(self):
        client, _ = self.serve(DONE)
        self.assertNotIn("SECRET", repr(client))
        self.assertNotIn("'cd'", repr(client.prove(b"a")))

    def test_prove_waits_for_a_queued_proof(self):
        queued = failure(502, "PROOF_NOT_RECORDED")
        client, seen = self.serve(queued, cut, failure(502, "XRPL_ERROR", Retry_After="0"), queued, DONE)
        with mock.patch.object(_proving, "LATER_SECONDS", 0.05):
            proof = client.prove(b"a file", file_name="a.txt")
        self.assertEqual((proof.proof_id, len(seen)), (DATA["proofId"], 5))
        self.assertEqual(len({body for _, _, _, body in seen}), 1)

    def test_prove_gives_up_in_time_and_names_the_proof(self):
        status, headers, body = failure(502, "PROOF_NOT_RECORDED")
        client, _ = self.serve((status, headers, {**body, "proofId": "P1"}))
        with mock.patch.object(_proving, "LATER_SECONDS", 0.1), self.assertRaises(proofmark.ProofTimeout) as caught:
            client.prove(b"a file", timeout=0.5)
        self.assertEqual(caught.exception.proof_id, "P1")

    def test_a_hash_in_upper_case_is_sent_in_lower_case_as_the_api_demands(self):
        upper = proofmark.HashedFile(HASH.upper(), 1)
        client, seen = self.serve(DONE)
        self.assertEqual(client.prove(upper).hash, HASH)
        self.assertEqual(json.loads(seen[0][3])["hash"], HASH)
        known = {"success": True, "data": [{"hash": HASH, "proven": True, **DATA}]}
        client, seen = self.serve((200, {}, known))
        self.assertEqual([proof.hash for proof in client.prove_all([upper, proofmark.HashedFile(HASH, 1)])], [HASH, HASH])
        self.assertEqual(json.loads(seen[0][3])["hashes"], [HASH])

    def test_one_failed_file_stops_no_other_and_is_reported(self):
        known = {"success": True, "data": [
            {"hash": proofmark.hash_file(b"1").hash, "proven": True, **DATA}, {"hash": proofmark.hash_file(b"2").hash, "proven": False},
            {"hash": proofmark.hash_file(b"3").hash, "proven": False}]}
        results = {"success": True, "data": [
            {"status": 400, "body": failure(400, "INVALID_REQUEST")[2]},
            {"status": 502, "retryAfterSeconds": 1, "body": failure(502, "XRPL_ERROR")[2]}]}
        again = {"success": True, "data": [{"status": 201, "body": DONE[2]}]}
        none = {"success": True, "data": []}
        client, seen = self.serve((200, {}, known), (200, {}, results), (200, {}, again), (200, {}, none))
        with tempfile.TemporaryDirectory() as folder:
            for name in "123":
                with open(os.path.join(folder, name), "w") as file:
                    file.write(name)
            paths = [os.path.join(folder, name) for name in "123"]
            with self.assertRaises(proofmark.NotAllProven) as caught:
                client.prove_all(folder)
            missing = os.path.join(folder, "4")
        raised = caught.exception
        self.assertEqual([(each.path, each.already_proven) for each in raised.proofs], [(paths[0], True), (paths[2], False)])
        self.assertEqual([(each.path, each.error.code) for each in raised.failed], [(paths[1], "INVALID_REQUEST")])
        self.assertEqual([len(json.loads(body)["items"]) for _, path, _, body in seen if path.endswith("batch")], [2, 1])
        with self.assertRaises(proofmark.NotAllProven) as caught:
            client.prove_all([missing])
        self.assertIsInstance(caught.exception.failed[0].error, FileNotFoundError)

    def test_look_ups_and_batches_about_other_hashes_or_of_another_length_are_refused(self):
        files = [proofmark.HashedFile(HASH[:-1] + last, 1) for last in "ab"]
        unknown = {"success": True, "data": [{"hash": each.hash, "proven": False} for each in files]}
        one = {"status": 201, "body": DONE[2]}
        halves = [{}, None, [], {"data": None}, dict(DONE[2], data=dict(DATA, txHash=None)), dict(DONE[2], data=[1])]
        batches = [[one], [], [one] * 3, [one] * 2, [one, None], "ab", None] + [[one, {"status": 201, "body": body}] for body in halves[1:]]
        looked = [[], None, [{"hash": HASH, "proven": True, **DATA}] * 2, [{"hash": files[0].hash, "proven": True, **DATA}] * 2, ["a", "b"]]
        scripts = [[(200, {}, {"data": data})] for data in looked] + [[(200, {}, unknown), (200, {}, {"data": data})] for data in batches]
        for script in scripts:
            client, seen = self.serve(*script)
            with self.assertRaises(proofmark.ConnectionFailed, msg=script):
                client.prove_all(files)
            self.assertLessEqual(len(seen), 2)

    def test_answers_that_are_no_object_or_have_no_end_are_refused(self):
        def endless(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            with contextlib.suppress(OSError):
                while not handler.server.ended.is_set():
                    handler.wfile.write(b" " * 1048576)
        deep = b'{"data":' + b"[" * 100000 + b"]" * 100000 + b"}"
        answers = [(200, {}, body) for body in (b"null", b"7", b"", b"[]", b"<html>", b"\xff", deep)]
        for answer in answers + [endless]:
            client, _ = self.serve(answer, timeout=0.2, attempt_timeout=5)
            with self.assertRaises(proofmark.ConnectionFailed, msg=answer):
                client.prove_all([proofmark.HashedFile(HASH, 1)])
        client, _ = self.serve((400, {}, deep))
        with self.assertRaises(proofmark.ApiError):
            client.list_workspaces()

    def test_a_page_in_place_of_a_certificate_or_a_bundle_is_refused(self):
        for page in (b"<h1>Log in</h1>", b"", b"[]"):
            for call in ("certificate", "bundle"):
                self.assertRaises(proofmark.ConnectionFailed, getattr(self.serve((200, {}, page))[0], call), "P")

    def test_odd_waits_are_no_waits(self):
        for stated in ("-5", "soon", "Mon, 01 Jan 2001 00:00:00 GMT", "Fri, 31 Dec 99999999 00:00:00 GMT", "1e9"):
            client, seen = self.serve(failure(503, "SERVICE_UNAVAILABLE", retry_after=stated), (200, {}, {"data": []}))
            with mock.patch("time.sleep"):
                self.assertEqual(client.list_workspaces()["data"], [], stated)

    def test_a_list_that_repeats_one_page_for_ever_ends(self):
        page = {"success": True, "data": [{"runId": "x", "id": "x", "proofId": "x"}] * 100}
        client, seen = self.serve((200, {}, page))
        with self.assertRaises(proofmark.ConnectionFailed):
            list(client.iter_agent_runs())
        self.assertLess(len(seen), 20)

    def test_hashing_reports_its_progress(self):
        steps = []
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"a" * 2_500_000)
            file.flush()
            hashed = proofmark.hash_file(file.name, lambda done, total: steps.append((done, total)))
        self.assertEqual([done for done, _ in steps], [1048576, 2097152, 2500000])
        self.assertEqual({total for _, total in steps} | {hashed.size}, {2500000})


if __name__ == "__main__":
    unittest.main()
