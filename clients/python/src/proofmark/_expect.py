"""Asks a server for its answer to the headers of a request, before the body is sent (RFC 9110, 10.1.1)."""

import http.client
import io
import socket
from typing import Any, Optional, cast

_CONTINUE_SECONDS = 1.0  # then the body is sent without an answer, since servers may ignore the question


def answer_before_body(sock: socket.socket, method: str, timeout: float) -> Optional[http.client.HTTPResponse]:
    """The final answer to the headers; None if the body is to be sent. Leaves the socket with this timeout."""
    sock.settimeout(_CONTINUE_SECONDS)
    try:
        first = sock.recv(1)
    except socket.timeout:
        return None
    finally:
        sock.settimeout(timeout)
    line = _rest_of_line(sock, first)
    if not line.startswith((b"HTTP/1.1 100", b"HTTP/1.0 100")):
        response = http.client.HTTPResponse(cast(socket.socket, _Begun(sock, line)), method=method)
        response.begin()
        return response
    while _rest_of_line(sock, b"") not in (b"\r\n", b"\n", b""):
        pass
    return None


def _rest_of_line(sock: socket.socket, line: bytes) -> bytes:
    """Reads no byte beyond the line: what follows belongs to the answer."""
    while not line.endswith(b"\n") and len(line) < 65536:
        byte = sock.recv(1)
        if not byte:
            break
        line += byte
    return line


class _Begun:
    """Socket of an answer whose first bytes were read already."""

    def __init__(self, sock: socket.socket, start: bytes) -> None:
        self._sock = sock
        self._start = start

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(_Rejoined(self._start, self._sock.makefile("rb", buffering=0)))


class _Rejoined(io.RawIOBase):
    """Bytes, and then the rest of their stream."""

    def __init__(self, start: bytes, rest: socket.SocketIO) -> None:
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        if not self._start:
            return self._rest.readinto(buffer)
        part = self._start[:len(buffer)]
        self._start = self._start[len(part):]
        buffer[:len(part)] = part
        return len(part)

    def close(self) -> None:
        self._rest.close()
        super().close()
