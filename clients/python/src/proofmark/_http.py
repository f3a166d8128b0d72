"""One HTTP exchange, with limits on its time. Follows no redirects: the key goes to the named server only."""

import base64
import http.client
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
from typing import Callable, Dict, Iterator, NamedTuple, Optional

from ._expect import answer_before_body
from .errors import ConnectionFailed

_LEAST_BYTES_PER_SECOND = 16384
_MOST_ANSWER_BYTES = 33554432  # only contents of files are larger
# After a refusal the service reads for five seconds, in which the slowest permitted client sends no more than this.
_MOST_UNASKED_BYTES = 65536


class Answer(NamedTuple):
    """Status, headers with lower-case names, and the whole body."""

    status: int
    headers: Dict[str, str]
    body: bytes


class Body(NamedTuple):
    """Content type, length in bytes, and a function that starts the content from its beginning."""

    content_type: str
    length: int
    chunks: Callable[[], Iterator[bytes]]


class Exchanges:
    """Exchanges with one server, each on a connection of its own: none can be stale."""

    def __init__(self, server: str, attempt_timeout: float, context: Optional[ssl.SSLContext]) -> None:
        self._url = urllib.parse.urlsplit(server)
        if self._url.scheme not in ("http", "https") or not self._url.hostname or self._url.username:
            raise ValueError("server must be the address of the service, such as https://proofs.example.org")
        self._timeout = attempt_timeout
        self._context = context
        self._asks = True

    def exchange(self, method: str, path: str, headers: Dict[str, str], body: Optional[Body], *,
                 is_file: bool = False, most_seconds: Optional[float] = None) -> Answer:
        """Sends one request. Raises ConnectionFailed if no complete answer comes in time, or an answer is too large.

        Raises OSError if the content of the body cannot be read. A large body or answer has more time, one second for
        each 16 kB. A large body is sent only if the server asks for it: a refused one would be cut off while it is sent,
        and its answer lost. is_file: the answer may have any size. most_seconds: limit of this exchange, if it is
        shorter than attempt_timeout.
        """
        timeout = self._timeout if most_seconds is None else min(self._timeout, most_seconds)
        headers = dict(headers, Connection="close")
        asks = self._asks and body is not None and body.length > _MOST_UNASKED_BYTES
        if body is not None:
            headers = dict(headers, **{"Content-Type": body.content_type, "Content-Length": str(body.length)})
        elif method in ("POST", "PATCH"):
            headers["Content-Length"] = "0"  # some proxies refuse these methods without it
        if asks:
            headers["Expect"] = "100-continue"
        connection = self._open(timeout)
        watch = _Watch(connection, timeout + (body.length if body else 0) / _LEAST_BYTES_PER_SECOND)
        try:
            connection.connect()
            watch.socket = connection.sock
            if watch.is_late:  # before there was a socket to end
                raise TimeoutError()
            connection.putrequest(method, self._url.path.rstrip("/") + path)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            response = answer_before_body(connection.sock, method, timeout) if asks else None
            if response is None:
                response = _answer_to(connection, body)
            most = None if is_file and response.status < 300 else _MOST_ANSWER_BYTES
            content = _read(response, watch, most)
            if watch.is_late:  # an answer without a length ends with its connection
                raise TimeoutError()
        except _Unreadable as error:
            raise error.cause from None
        except _TooLarge as error:
            raise ConnectionFailed("the answer is larger than %d bytes" % _MOST_ANSWER_BYTES) from error
        except (OSError, http.client.HTTPException) as error:
            if watch.is_late or isinstance(error, TimeoutError):
                raise ConnectionFailed("the service did not answer within %g seconds" % timeout) from error
            raise ConnectionFailed("the connection to the service failed: %s" % (error or type(error).__name__)) from error
        finally:
            watch.done.set()
            connection.close()
        if response.status == 417 and asks:  # a proxy that does not know the header
            self._asks = False
            return self.exchange(method, path, {name: value for name, value in headers.items() if name != "Expect"}, body,
                                 is_file=is_file, most_seconds=most_seconds)
        found = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, found, content)

    def _open(self, timeout: float) -> http.client.HTTPConnection:
        scheme, host, port = self._url.scheme, self._url.hostname or "", self._url.port
        named = None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(scheme)
        proxy = _proxy_at(named) if named else None
        at, at_port = (proxy.hostname or "", proxy.port) if proxy else (host, port)
        if scheme == "https":
            secure = http.client.HTTPSConnection(at, at_port, timeout=timeout, context=self._context)
            if proxy:
                secure.set_tunnel(host, port, _credentials(proxy))
            return secure
        plain = http.client.HTTPConnection(at, at_port, timeout=timeout)
        if proxy:
            plain.set_tunnel(host, port or 80, _credentials(proxy))
        return plain


def _proxy_at(named: str) -> urllib.parse.SplitResult:
    """Address of a proxy as environment variables name it: often without http://."""
    return urllib.parse.urlsplit(named if "://" in named else "http://" + named)


def _credentials(proxy: urllib.parse.SplitResult) -> Dict[str, str]:
    if proxy.username is None:
        return {}
    pair = urllib.parse.unquote(proxy.username) + ":" + urllib.parse.unquote(proxy.password or "")
    return {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}


class _Watch:
    """Ends the connection at a limit. A server that sends single bytes never reaches the limit of the socket."""

    def __init__(self, connection: http.client.HTTPConnection, seconds: float) -> None:
        self._connection = connection
        # Kept here: the connection forgets it as soon as an answer says "Connection: close".
        self.socket: Optional[socket.socket] = None
        self._limit = time.monotonic() + seconds
        self.is_late = False
        self.done = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def extend(self, seconds: float) -> None:
        self._limit += seconds

    def _run(self) -> None:
        while not self.done.wait(max(0.0, self._limit - time.monotonic())):
            if time.monotonic() >= self._limit:
                self.is_late = True
                _shut(self.socket or self._connection.sock)
                return


class _TooLarge(Exception):
    pass


class _Unreadable(Exception):
    """The content of a body cannot be read: no fault of the connection."""

    def __init__(self, cause: OSError) -> None:
        self.cause = cause


def _content(body: Body) -> Iterator[bytes]:
    try:
        yield from body.chunks()
    except OSError as error:
        raise _Unreadable(error) from error


def _answer_to(connection: http.client.HTTPConnection, body: Optional[Body]) -> http.client.HTTPResponse:
    """Sends the body, and begins the answer. A server may answer before the end of the body, and cut the connection."""
    try:
        for chunk in _content(body) if body else ():
            connection.send(chunk)
    except OSError as error:
        try:
            return connection.getresponse()
        except (OSError, http.client.HTTPException):
            raise error from None
    return connection.getresponse()


def _read(response: http.client.HTTPResponse, watch: _Watch, most: Optional[int]) -> bytes:
    chunks, size = [], 0
    for chunk in iter(lambda: response.read(65536), b""):
        chunks.append(chunk)
        size += len(chunk)
        if most is not None and size > most:
            raise _TooLarge()
        watch.extend(len(chunk) / _LEAST_BYTES_PER_SECOND)
    if response.length:  # read reports a connection that was cut as the end of the body
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(chunks)


def _shut(sock: Optional[socket.socket]) -> None:
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended by itself
