"""Uploads to a server that fails or refuses them."""

import json
import os
import socket
import struct
import tempfile
import threading
import time
import unittest

import proofmark
from scripted_server import DONE, ServerCase, cut, cut_in_body, failure

LARGE = bytes(8000000)
REFUSED = {"success": False, "code": "ENTITLEMENT_EXCEEDED", "message": "none is left", "usage": {"unit": "documents", "remaining": 0}}


def answer(status, body):
    data = json.dumps(body).encode()
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s" % (status, len(data), data)


def read_head(sock):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += sock.recv(1)
    return head


def read_body(sock, most):
    """Reads so many bytes, as long as they come without a pause."""
    size = 0
    sock.settimeout(2)
    while size < most:
        part = sock.recv(min(65536, most - size))
        if not part:
            break
        size += len(part)
    return size


def cut_off(sock):
    """As a server does that reads no further: the rest of the body is answered with a reset."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


class Uploads(ServerCase):
    def serve_raw(self, handle, **options):
        """A client of a server that handles each connection with this function; heads with results."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        got = []

        def run():
            while True:
                try:
                    sock = listener.accept()[0]
                except OSError:
                    return
                head = read_head(sock)
                got.append([head, None])
                got[-1][1] = handle(sock, head)
                sock.close()
        threading.Thread(target=run, daemon=True).start()
        options = {"workspace": "W", "timeout": 10, **options}
        return proofmark.Proofmark("http://127.0.0.1:%d" % listener.getsockname()[1], "k", **options), got

    def test_a_refused_upload_is_not_sent_and_its_refusal_is_raised(self):
        def refuse(sock, _):
            sock.sendall(answer(403, REFUSED))
            try:
                return read_body(sock, 10 ** 9)
            except OSError:
                return -1
        client, got = self.serve_raw(refuse)
        for upload in (lambda: client.upload_document(LARGE, {"workspace": "W"}), lambda: client.upload_revision("D", LARGE, {})):
            with self.assertRaises(proofmark.NotAllowed) as caught:
                upload()
            self.assertEqual((caught.exception.code, caught.exception.body["usage"]), ("ENTITLEMENT_EXCEEDED", REFUSED["usage"]))
        end = time.monotonic() + 5
        while [size for _, size in got].count(None) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual([size for _, size in got], [0, 0])

    def test_an_upload_that_is_refused_and_cut_while_it_is_sent_raises_its_refusal(self):
        def refuse(sock, head):
            sock.sendall(b"HTTP/1.1 100 Continue\r\nX-Some: header\r\n\r\n")
            read_body(sock, 100000)
            sock.sendall(answer(413, dict(REFUSED, code="PAYLOAD_TOO_LARGE")))
            time.sleep(0.2)
            cut_off(sock)
        client, got = self.serve_raw(refuse)
        with self.assertRaises(proofmark.InvalidRequest) as caught:
            client.upload_document(LARGE, {"workspace": "W"})
        self.assertEqual((caught.exception.code, len(got)), ("PAYLOAD_TOO_LARGE", 1))

    def test_an_upload_without_an_answer_that_is_cut_is_a_broken_connection(self):
        client, _ = self.serve_raw(lambda sock, _: cut_off(sock), timeout=0.2)
        for content in (LARGE, b"small"):
            with self.assertRaises(proofmark.ConnectionFailed):
                client.upload_document(content, {"workspace": "W"})

    def test_a_server_that_does_not_ask_for_the_body_gets_it_after_a_second(self):
        def ignore(sock, head):
            self.assertIn(b"Expect: 100-continue", head)
            size = read_body(sock, int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
            sock.sendall(answer(201, DONE[2]))
            return size
        client, got = self.serve_raw(ignore)
        started = time.monotonic()
        client.upload_document(LARGE, {"workspace": "W"})
        self.assertGreaterEqual(time.monotonic() - started, 1)
        self.assertEqual(len(got), 1)

    def test_a_server_that_refuses_the_question_is_not_asked_again(self):
        def refuse(sock, head):
            if b"Expect:" in head:
                sock.sendall(answer(417, {}))
                return
            read_body(sock, int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
            sock.sendall(answer(201, DONE[2]))
        client, got = self.serve_raw(refuse)
        client.upload_document(LARGE, {"workspace": "W"})
        client.upload_document(LARGE, {"workspace": "W"})
        self.assertEqual(["Expect:" in head.decode() for head, _ in got], [True, False, False])

    def test_small_bodies_are_sent_at_once_and_a_missing_one_has_the_length_zero(self):
        client, seen = self.serve(DONE)
        client.upload_document(bytes(60000), {"workspace": "W"})
        client.test_webhook("W")
        client.get_proof("P")
        self.assertEqual([headers.get("Expect") for _, _, headers, _ in seen], [None] * 3)
        self.assertEqual([headers.get("Content-Length") for _, _, headers, _ in seen[1:]], ["0", None])

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
