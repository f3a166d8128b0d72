"""Names and folders that Linux allows, and files that cannot be read."""

import errno
import json
import os
import socket
import tempfile
import threading
import unittest
from unittest import mock

import proofmark
from scripted_server import DATA, DONE, ServerCase

ODD_NAME = b"caf\xe9.txt"  # Latin-1, so no UTF-8


def unknown(*contents):
    return 200, {}, {"success": True, "data": [{"hash": proofmark.hash_file(each).hash, "proven": False} for each in contents]}


def proven(count):
    results = [{"status": 201, "body": {"success": True, "data": dict(DATA, proofId="P%d" % at)}} for at in range(count)]
    return 200, {}, {"success": True, "data": results}


class LocalFiles(ServerCase):
    def folder(self, *names):
        """A folder with files of these names, whose contents are their names."""
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        for name in names:
            path = os.path.join(os.fsencode(holder.name), name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(name)
        return holder.name

    def test_a_name_that_is_no_utf_8_is_left_out_and_stops_no_other(self):
        client, seen = self.serve(unknown(b"a.txt", ODD_NAME), proven(2))
        proofs = client.prove_all(self.folder(b"a.txt", ODD_NAME))
        self.assertEqual([os.path.basename(os.fsencode(proof.path)) for proof in proofs], [b"a.txt", ODD_NAME])
        items = json.loads(seen[-1][3])["items"]
        self.assertEqual([item.get("fileName") for item in items], ["a.txt", None])

    def test_one_file_with_such_a_name_is_proven_and_uploaded(self):
        path = os.path.join(self.folder(ODD_NAME), os.fsdecode(ODD_NAME))
        client, seen = self.serve(DONE)
        self.assertEqual(client.prove(path).proof_id, DATA["proofId"])
        self.assertNotIn("fileName", json.loads(seen[0][3]))
        client.upload_document(path, {"workspace": "W"})
        self.assertIn(b'filename="file"\r\n', seen[1][3])

    def test_a_subfolder_that_cannot_be_listed_stops_no_file_and_is_reported(self):
        folder = self.folder(b"a.txt", b"b/c.txt", b"d.txt")
        closed = os.path.join(folder, "b")
        scandir = os.scandir

        def refusing(path):
            if path == closed:
                raise PermissionError(13, "Permission denied", path)
            return scandir(path)

        client, _ = self.serve(unknown(b"a.txt", b"d.txt"), proven(2))
        with mock.patch("os.scandir", refusing), self.assertRaises(proofmark.NotAllProven) as caught:
            client.prove_all(folder)
        raised = caught.exception
        self.assertEqual([os.path.basename(proof.path) for proof in raised.proofs], ["a.txt", "d.txt"])
        self.assertEqual([(each.path, type(each.error)) for each in raised.failed], [(closed, PermissionError)])
        with mock.patch("os.scandir", refusing), self.assertRaises(PermissionError):
            client.prove_all(closed)

    def test_links_to_files_are_proven_and_entries_that_are_no_files_are_reported(self):
        folder = self.folder(b"a.txt", b"b/c.txt")
        for target, name in (("a.txt", "link"), ("b", "to b"), (".", "to itself"), ("nothing", "to nothing"), ("loop", "loop")):
            os.symlink(target, os.path.join(folder, name))
        os.mkfifo(os.path.join(folder, "pipe"))
        client, seen = self.serve(unknown(b"a.txt", b"b/c.txt"), proven(2))
        with self.assertRaises(proofmark.NotAllProven) as caught:
            client.prove_all(folder)
        raised = caught.exception
        self.assertEqual([os.path.relpath(proof.path, folder) for proof in raised.proofs], ["a.txt", "link", "b/c.txt"])
        failed = {os.path.relpath(each.path, folder): each.error for each in raised.failed}
        self.assertEqual(list(failed), ["loop", "pipe", "to b", "to itself", "to nothing"])
        self.assertEqual((failed["loop"].errno, type(failed["to nothing"])), (errno.ELOOP, FileNotFoundError))
        for name in ("pipe", "to b", "to itself"):
            self.assertEqual(str(failed[name]), "%s is no file" % os.path.join(folder, name))

    def test_a_file_that_is_written_to_while_it_is_hashed_fails_alone(self):
        folder = self.folder(b"a.txt", b"b.txt")
        path = os.path.join(folder, "a.txt")

        def append(*_):
            if os.path.getsize(path) == 5:
                with open(path, "ab") as file:
                    file.write(b"more")

        def overwrite(*_):
            with open(path, "r+b") as file:
                file.write(b"A")

        def replace(*_):
            with open(path + ".new", "wb") as file:
                file.write(b"a.txt")
            os.replace(path + ".new", path)

        for change in (append, overwrite, replace):
            os.utime(path, (1, 1))  # the clock of the file system may be coarse
            with self.assertRaisesRegex(proofmark.FileChanged, "a.txt was altered while it was read"):
                proofmark.hash_file(path, change)
        self.assertEqual(proofmark.hash_file(path).size, 5)
        read = proofmark.files._hash_stream

        def changing(stream, *options):
            if stream.name == path:
                append()
            return read(stream, *options)

        client, _ = self.serve(unknown(b"b.txt"), proven(1))
        with mock.patch("proofmark.files._hash_stream", changing), self.assertRaises(proofmark.NotAllProven) as caught:
            client.prove_all(folder)
        raised = caught.exception
        self.assertEqual([proof.path for proof in raised.proofs], [os.path.join(folder, "b.txt")])
        self.assertEqual([(each.path, type(each.error)) for each in raised.failed], [(path, proofmark.FileChanged)])

    def test_a_pipe_is_hashed_although_it_changes(self):
        path = os.path.join(self.folder(), "pipe")
        os.mkfifo(path)

        def write():
            with open(path, "wb") as pipe:
                pipe.write(b"content")

        writer = threading.Thread(target=write)
        writer.start()
        self.assertEqual(proofmark.hash_file(path).hash, proofmark.hash_file(b"content").hash)
        writer.join()

    def test_an_upload_of_a_file_that_cannot_be_read_is_an_os_error_at_once(self):
        client, seen = self.serve(DONE)
        path = os.path.join(self.folder(), "socket")
        with socket.socket(socket.AF_UNIX) as bound, self.assertRaises(OSError):
            bound.bind(path)
            client.upload_document(path, {"workspace": "W"})
        self.assertEqual(len(seen), 0, "nothing is sent")
        with mock.patch("time.sleep") as sleep, self.assertRaises(OSError) as caught:
            client.upload_document("/proc/self/mem", {"workspace": "W"})  # opens, and cannot be read
        self.assertEqual((caught.exception.errno, sleep.call_count), (errno.EIO, 0))


if __name__ == "__main__":
    unittest.main()
