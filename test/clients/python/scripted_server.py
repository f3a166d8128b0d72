"""A server that answers each request with the next step of a script, and with the last one again."""

import contextlib
import http.server
import json
import socketserver
import threading
import unittest

import proofmark

HASH = "568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5"
DATA = {"proofId": "01M7XT7V10RJ1CFD26ZBSKQXP6", "txHash": "AB", "timestamp": "2026-11-21T01:06:31.000Z", "proofNonce": "cd"}
DONE = (201, {}, {"success": True, "data": DATA})


def failure(status, code, **headers):
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, {
        "success": False, "code": code, "message": "failed"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.server.seen.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
        script = self.server.script
        step = script.pop(0) if len(script) > 1 else script[0]
        if callable(step):
            self.close_connection = True
            step(self)
            return
        status, headers, body = step
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_PATCH = do_DELETE = do_GET

    def do_CONNECT(self):
        """As a proxy whose tunnels lead to this server."""
        self.server.seen.append((self.command, self.path, dict(self.headers), b""))
        self.send_response(200)
        self.end_headers()
        self.close_connection = False

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


def cut(handler):
    handler.connection.close()


def cut_in_body(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"success\"")
    handler.wfile.flush()


def cut_in_chunk(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{\"success\"")
    handler.wfile.flush()


def never(handler):
    handler.server.ended.wait(20)


def drip(start):
    """Sends single bytes for ten seconds after this beginning of an answer."""
    def script(handler):
        with contextlib.suppress(OSError):
            handler.wfile.write(start)
            for _ in range(200):
                if handler.server.ended.wait(0.05):
                    return
                handler.wfile.write(b"a")
                handler.wfile.flush()
    return script


def answering(answer):
    """Answers each request with what the function makes of it."""
    def script(handler):
        status, _, body = answer(handler)
        handler.send_response(status)
        data = json.dumps(body).encode()
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)
    return script


def proven(file_hash):
    """Result of a hash in a batch that is proven."""
    return {"status": 201, "body": {"success": True, "data": dict(DATA, proofId="P" + file_hash)}}


class ServerCase(unittest.TestCase):
    """Tests with a client of a scripted server, and the requests that it has received."""

    def serve(self, *script, **options):
        server = Server(("127.0.0.1", 0), Handler)
        server.script, server.seen, server.ended = list(script), [], threading.Event()
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(server.ended.set)
        options = {"workspace": "W", "timeout": 10, **options}
        return proofmark.Proofmark("http://127.0.0.1:%d" % server.server_port, "svc_live_SECRET", **options), server.seen
