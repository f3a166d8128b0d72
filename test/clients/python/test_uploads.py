"""Uploads to a server that fails or refuses them."""

import os
import tempfile
import unittest

import proofmark
from scripted_server import DONE, ServerCase, cut, cut_in_body, failure


class Uploads(ServerCase):
    def test_a_revision_is_not_uploaded_again_if_it_may_be_stored(self):
        for fault in (cut, cut_in_body, failure(500, "INTERNAL_ERROR"), failure(503, "SERVICE_UNAVAILABLE", Retry_After="0")):
            client, seen = self.serve(fault, DONE)
            with self.assertRaises(proofmark.ProofmarkError):
                client.upload_revision("D", b"x", {})
            self.assertEqual(len(seen), 1, fault)
        client, seen = self.serve(failure(429, "RATE_LIMIT_EXCEEDED", Retry_After="0"), failure(502, "XRPL_ERROR", Retry_After="0"), DONE)
        client.upload_revision("D", b"x", {})
        self.assertEqual(len(seen), 3)

    def test_an_upload_that_is_queued_names_its_proof_and_its_document(self):
        status, headers, body = failure(502, "PROOF_NOT_RECORDED")
        client, seen = self.serve((status, headers, {**body, "proofId": "P", "documentId": "D"}))
        with self.assertRaises(proofmark.ServiceFailed) as caught:
            client.upload_document(b"x", {"workspace": "W"})
        self.assertEqual((caught.exception.proof_id, caught.exception.document_id, len(seen)), ("P", "D", 1))

    def test_an_upload_is_sent_again_from_its_beginning(self):
        client, seen = self.serve(cut, DONE)
        with tempfile.TemporaryFile() as file:
            file.write(b"left out, sent")
            file.seek(9)
            client.upload_document(file, {"workspace": "W", "metadata": {"a": "é"}})
        bodies = [body for _, _, _, body in seen]
        self.assertEqual(len(bodies), 2)
        self.assertEqual(bodies[0], bodies[1])
        self.assertIn(b" sent\r\n--", bodies[0])
        self.assertNotIn(b"left", bodies[0])
        self.assertIn('{"a": "é"}'.encode(), bodies[0])

    def test_a_file_name_cannot_break_out_of_the_form(self):
        client, seen = self.serve(DONE)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a"\r\nX: y.txt')
            with open(path, "wb") as file:
                file.write(b"x")
            client.upload_document(path, {"workspace": "W"})
        self.assertIn(b'filename="a%22%0D%0AX: y.txt"\r\n', seen[0][3])


if __name__ == "__main__":
    unittest.main()
