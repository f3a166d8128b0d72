"""Every method of the client against a running service."""

import contextlib
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import proofmark
from proofmark._operations import Operations

SERVER, KEY, WORKSPACE = (os.environ[name] for name in ("SERVER", "KEY", "WORKSPACE"))
called = set()


def counted(name):
    """Notes each call of an operation that came back or was refused for its state."""
    real = getattr(Operations, name)

    def call(self, *args, **named):
        called.add(name)
        return real(self, *args, **named)
    return call


OPERATIONS = [name for name in vars(Operations) if not name.startswith("_")]
for operation in OPERATIONS:
    setattr(Operations, operation, counted(operation))

client = proofmark.Proofmark(SERVER, KEY)


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.got.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Service(unittest.TestCase):
    def test_01_prove_verify_and_certificates(self):
        proof = client.prove(b"a file that stays here", file_name="here.txt", metadata={"description": "d"})
        again = client.prove(b"a file that stays here")
        self.assertEqual((again.proof_id, again.tx_hash, again.already_proven), (proof.proof_id, proof.tx_hash, True))
        self.assertEqual((proof.already_proven, len(proof.nonce)), (False, 64))
        status = client.wait_for_proof(proof.proof_id, timeout=30)
        self.assertEqual(status["fileName"], "here.txt")
        salted = client.get_proof(proof.proof_id, include_salt=True)["data"]
        self.assertEqual(salted["proofNonce"], proof.nonce)
        # Published within a second of the completion.
        end = time.monotonic() + 30
        while True:
            try:
                key = client.get_proof_xpop(proof.proof_id)["validation"]["unl"]["public_key"]
                break
            except proofmark.Conflict as error:
                self.assertEqual(error.code, "PROOF_NOT_ATTESTED")
                self.assertLess(time.monotonic(), end)
        certificate, bundle = client.certificate(proof.proof_id), client.bundle(proof.proof_id)
        self.assertEqual(client.get_certificate(proof.proof_id), certificate)
        self.assertEqual(client.get_proof_bundle(proof.proof_id), json.loads(bundle))
        for given in (certificate, bundle, json.loads(bundle)):
            found = proofmark.verify(b"a file that stays here", given, validator_list_keys=[key])
            self.assertEqual(found.result, "proven", found.conclusion)
            self.assertEqual(proofmark.verify(b"another", given).result, "notProven")
            self.assertEqual(proofmark.verify(b"a file that stays here", given).result, "notProvenYet")
        self.assertEqual(len(client.list_certificates(proof.proof_id)["data"]), 1)
        self.assertIn("event", client.get_proof_inclusion(proof.proof_id)["data"])
        with self.assertRaises(proofmark.Conflict) as caught:
            client.get_proof_timestamp(proof.proof_id)
        self.assertEqual(caught.exception.code, "TIMESTAMP_PENDING")
        self.assertTrue(client.verify_transaction(proof.tx_hash)["data"]["verified"])
        leaf = client.get_log_proof(proof.proof_id)["data"]["leafIndex"]
        self.assertEqual(client.get_log_leaf(leaf)["data"]["leafIndex"], leaf)
        self.assertIn("event", client.get_log_certificate(proofmark.hash_file(certificate).hash)["data"])

    def test_02_links(self):
        proof = client.prove(b"shared")
        link = client.create_link(proof.proof_id, {"showFileName": True})["data"]
        self.assertEqual([one["id"] for one in client.list_links(proof.proof_id)["data"]], [link["id"]])
        client.withdraw_link(proof.proof_id, link["id"])
        self.assertEqual(client.list_links(proof.proof_id)["data"], [])

    def test_03_documents(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "é \"1\".txt")
            with open(path, "wb") as file:
                file.write(b"a file that goes there " * 9999)
            first = client.upload_document(path, {"workspace": WORKSPACE, "description": "uploaded", "metadata": {"n": 1}})["data"]
            with open(path, "ab") as file:
                file.write(b"second")
            with open(path, "rb") as file:
                second = client.upload_revision(first["id"], file, {})["data"]
        self.assertEqual((first["fileName"], second["revision"], first["metadata"]["n"]), ("é \"1\".txt", 2, 1))
        self.assertEqual(client.get_document(first["id"])["data"]["fileHash"], first["fileHash"])
        self.assertEqual(client.get_document_file(first["id"]), b"a file that goes there " * 9999)
        self.assertEqual(len(client.list_document_versions(first["id"])["data"]), 2)
        queued = client.create_proof({"hash": "ab" * 32, "workspace": WORKSPACE}, respond_async=True)
        self.assertEqual(len(queued["data"]["proofNonce"]), 64)
        client.wait_for_proof(queued["data"]["proofId"])

    def test_04_batches_lists_and_pages(self):
        hashes = [proofmark.hash_file(b"page %d" % at).hash for at in range(130)]
        answer = client.create_proofs({"workspace": WORKSPACE, "items": [{"hash": one} for one in hashes]})
        self.assertEqual({result["status"] for result in answer["data"]}, {201})
        known = client.look_up_proofs({"workspace": WORKSPACE, "hashes": hashes})["data"]
        self.assertTrue(all(one["proven"] for one in known))
        page = client.list_documents(limit=2, workspace=WORKSPACE, blockchain_status="completed")
        self.assertEqual(len(page["data"]), 2)
        found = [one["proofId"] for one in client.iter_documents(workspace=WORKSPACE, blockchain_status="completed")]
        self.assertEqual((len(found), len(set(found))), (page["meta"]["total"], page["meta"]["total"]))
        self.assertGreater(len(found), 130)

    def test_05_runs_and_decisions(self):
        decisions = [{"subject": "%d.pdf" % at, "action": "protect"} for at in range(7)] + [{"action": "skip"}] * 2
        recorded = client.record_run("nightly/1", decisions, anchor=True, mode="unattended", counts={"seen": 9})
        client.wait_for_proof(recorded["proof"]["proofId"])
        statement = client.run_statement("nightly/1")
        self.assertEqual(client.get_agent_run_statement("nightly/1"), json.loads(statement))
        digest = proofmark.hash_file(statement).hash
        self.assertEqual(digest, recorded["proof"]["fileHash"])
        for index in range(9):
            shown = client.get_agent_decision_proof("nightly/1", index)["data"]
            self.assertEqual(proofmark.verify_decision(shown), digest)
            for change in ({"decision": {"action": "none"}}, {"decisionIndex": (index + 1) % 9}, {"hashes": shown["hashes"][1:]},
                           {"hashes": shown["hashes"] + ["00" * 32]}, {"canonicalDecision": "{}"}, {"treeSize": 2}):
                with self.assertRaises(proofmark.NotGenuine, msg=change):
                    proofmark.verify_decision({**shown, **change})
        with self.assertRaises(proofmark.Conflict):
            client.record_run("nightly/1", [])
        client.record_agent_run({"runId": "2"})
        self.assertEqual(client.get_agent_run("2")["data"]["decisions"], [])
        self.assertEqual(client.list_agent_runs(mode="unattended", from_=None)["meta"]["total"], 1)
        self.assertEqual([run["id"] for run in client.iter_agent_runs()], ["2", "nightly/1"])
        self.assertEqual(client.list_agent_decisions(run_id="nightly/1", action="skip")["meta"]["total"], 2)
        self.assertEqual(len(list(client.iter_agent_decisions(action="skip"))), 2)

    def test_06_webhooks(self):
        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        receiver.got = []
        threading.Thread(target=receiver.serve_forever, args=[0.01], daemon=True).start()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        url = "http://127.0.0.1:%d/" % receiver.server_port
        hook = client.create_webhook({"url": url, "events": ["proof.completed"]})["data"]
        self.assertTrue(client.test_webhook(hook["id"])["data"]["delivered"])
        headers, body = receiver.got[0]
        event = proofmark.verify_webhook(hook["secret"], headers, body)
        self.assertEqual((event["type"], event["data"]["id"]), ("webhook.test", hook["id"]))
        old, new = hook["secret"], client.rotate_webhook_secret(hook["id"], overlap_seconds=0)["data"]["secret"]
        client.test_webhook(hook["id"])
        headers, body = receiver.got[-1]
        proofmark.verify_webhook([old, new], headers, body)
        for secret, given, changed in ((old, headers, body), (new, headers, body + b" "), (new, {}, body), (
                new, {**headers, "webhook-id": "other"}, body), (new, {**headers, "webhook-timestamp": "1"}, body),
                (new, {**headers, "webhook-timestamp": "9" * 400}, body)):
            lowered = {name.lower(): value for name, value in given.items()}
            with self.assertRaises(proofmark.NotGenuine):
                proofmark.verify_webhook(secret, lowered, changed)
        delivery = client.list_webhook_deliveries(hook["id"])["data"][0]
        self.assertEqual(len(list(client.iter_webhook_deliveries(hook["id"]))), 2)
        client.retry_webhook_delivery(hook["id"], delivery["id"])
        again = client.retry_failed_webhook_deliveries(hook["id"], {"since": "2026-01-01T00:00:00Z"})["data"]
        self.assertEqual(set(again), {"retried", "remaining"})
        self.assertEqual(client.change_webhook(hook["id"], {"status": "disabled"})["data"]["status"], "disabled")
        self.assertEqual([one["id"] for one in client.list_webhooks()["data"]], [hook["id"]])
        client.delete_webhook(hook["id"])

    def test_07_keys_service_and_log(self):
        issued = client.create_api_key({"scopes": ["documents:read"], "name": "reader"})["data"]
        reader = proofmark.Proofmark(SERVER, issued["key"], workspace=WORKSPACE)
        with self.assertRaises(proofmark.NotAllowed) as caught:
            reader.prove(b"x")
        self.assertEqual(caught.exception.code, "SCOPE_NOT_PERMITTED")
        self.assertGreater(client.list_api_keys()["meta"]["page"], 0)
        self.assertIn(issued["id"], [key["id"] for key in client.iter_api_keys()])
        client.revoke_api_key(issued["id"])
        with tempfile.TemporaryFile() as file, mock.patch("proofmark._form._content", side_effect=AssertionError("sent")):
            file.truncate(1000000)
            with self.assertRaises(proofmark.NotAllowed):
                reader.upload_document(file, {"workspace": WORKSPACE})
        with self.assertRaises(proofmark.NotFound):
            client.get_proof("01M7XT7V10RJ1CFD26ZBSKQXP6")
        with self.assertRaises(proofmark.InvalidRequest):
            client.get_proof("no id")
        anybody = proofmark.Proofmark(SERVER)
        self.assertEqual(anybody.get_health()["success"], True)
        self.assertEqual(anybody.get_readiness()["success"], True)
        self.assertEqual(anybody.get_quickstart()["data"]["name"], "Proofmark")
        self.assertEqual(anybody.get_open_api()["openapi"], "3.1.1")
        self.assertEqual(len(anybody.list_issuer_keys()["data"]), 1)
        self.assertIn("\n", anybody.get_log_checkpoint())
        anybody.list_log_checkpoints(limit=1)
        # The service may publish another one at any moment.
        before = anybody.list_log_checkpoints()["meta"]["total"]
        shown = len(list(anybody.iter_log_checkpoints()))
        self.assertTrue(before <= shown <= anybody.list_log_checkpoints()["meta"]["total"])
        self.assertEqual(len(anybody.list_log_verifiers()["data"]["verifiers"]), 1)
        size = int(anybody.get_log_checkpoint().split("\n")[1])
        with contextlib.suppress(proofmark.NotFound):
            anybody.get_log_tile("0/000" if size >= 256 else "0/000.p/%d" % size)

    def test_08_a_killed_folder_is_finished_without_a_second_proof(self):
        before = client.list_documents(limit=1)["meta"]["total"]
        script = ("import os, sys, proofmark; c = proofmark.Proofmark(sys.argv[1], sys.argv[2]); print('begun', flush=True)\n"
                  "c.prove_all(sys.argv[3], on_proof=lambda proof: print(proof.path, proof.proof_id, flush=True))")
        with tempfile.TemporaryDirectory() as folder:
            for at in range(1250):
                with open(os.path.join(folder, "%04d" % at), "w") as file:
                    file.write("file %d of the folder" % (at if at < 1240 else 0))
            printed = {}
            # Killed while the first batch is under way, after some proofs of it, and after all of it.
            for lines in (1, 300, 1003):
                running = subprocess.Popen([sys.executable, "-c", script, SERVER, KEY, folder], stdout=subprocess.PIPE, text=True)
                for _ in range(lines):
                    line = running.stdout.readline().split()
                    if len(line) == 2:
                        printed[line[0]] = line[1]
                if lines == 1:
                    end = time.monotonic() + 30
                    while client.list_documents(limit=1)["meta"]["total"] == before and time.monotonic() < end:
                        pass
                running.kill()
                running.communicate()
            proofs = client.prove_all(folder)
        self.assertEqual((len(proofs), len({proof.proof_id for proof in proofs})), (1250, 1240))
        self.assertEqual(client.list_documents(limit=1)["meta"]["total"] - before, 1240)
        self.assertGreater(len(printed), 990)
        self.assertEqual({proof.path: proof.proof_id for proof in proofs if proof.path in printed}, printed)

    def test_09_every_operation_was_called(self):
        self.assertEqual(set(OPERATIONS) - called, set())


if __name__ == "__main__":
    unittest.main()
