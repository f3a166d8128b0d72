"""Sends calls with the key, waits and retries as the service advises, and reads answers."""

import json
import ssl
import time
import urllib.parse
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from ._form import form_of
from ._http import Answer, Body, Exchanges
from ._limits import ItemLimits, pause_of
from ._retries import backoff, read_retry_after, wait_before_retry
from .errors import ApiError, ConnectionFailed, error_of
from .files import FileToSend

Path = Tuple[str, Sequence[Any]]
_LEAST_SECONDS = 1.0  # of an attempt: a service that works answers a read in this time
_MOST_PAGES = 1_000_000_000
_MOST_REPEATED = 10  # pages in sequence with known items alone


class Calls:
    """Base of the client.

    timeout: seconds for a call with all its retries. attempt_timeout: seconds for one answer.
    """

    def __init__(self, server: str, api_key: Optional[str], timeout: float, attempt_timeout: float,
                 ssl_context: Optional[ssl.SSLContext]) -> None:
        self._exchanges = Exchanges(server.rstrip("/"), attempt_timeout, ssl_context)
        self._server = server.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._resume_at = 0.0
        self._items = ItemLimits()

    def __repr__(self) -> str:
        return "%s(server=%r)" % (type(self).__name__, self._server)

    def _send(self, method: str, path: Path, *, at_root: bool = False, query: Optional[Mapping[str, Any]] = None,
              body: Optional[Any] = None, file: Optional[FileToSend] = None, fields: Optional[Any] = None,
              respond_async: bool = False, idempotent: bool = True, timeout: Optional[float] = None,
              is_file: bool = False, ends_in_time: bool = False) -> Answer:
        """Sends a call until it succeeds, may not be sent again, or has no time left.

        ends_in_time: no attempt lasts longer than the time that is left, or one second. For reads only: another call
        may take effect without its answer. Raises ApiError, or ConnectionFailed.
        """
        template, values = path
        target = template.format(*(urllib.parse.quote(str(value), safe="") for value in values))
        target = ("" if at_root else "/api/v1") + target + _query(query or {})
        headers = {"Accept": "*/*", "User-Agent": "proofmark-python"}
        if self._api_key is not None:
            headers["Authorization"] = "Bearer " + self._api_key
        if respond_async:
            headers["Prefer"] = "respond-async"
        sent: Optional[Body] = None
        if file is not None:
            sent = form_of(file, fields or {}, None)
        elif body is not None:
            sent = _json_body(body)
        end = time.monotonic() + (self._timeout if timeout is None else timeout)
        attempt = 0
        while True:
            attempt += 1
            self._pause(end)
            most = max(_LEAST_SECONDS, end - time.monotonic()) if ends_in_time else None
            try:
                answer = self._exchanges.exchange(method, target, headers, sent, is_file=is_file, most_seconds=most)
            except ConnectionFailed:
                wait = backoff(attempt)
                if not idempotent or time.monotonic() + wait >= end:
                    raise
            else:
                self._resume_at = max(self._resume_at, time.monotonic() + pause_of(answer.headers))
                self._items.note(answer.headers)
                if 200 <= answer.status < 300:
                    return answer
                error = _error_in(answer)
                advised = wait_before_retry(error, attempt, idempotent)
                if advised is None or time.monotonic() + advised >= end:
                    raise error
                wait = advised
            time.sleep(wait)

    def _pause(self, end: float) -> None:
        """Waits until the limits permit a request, if that is soon enough. Otherwise the service decides."""
        wait = self._resume_at - time.monotonic()
        if 0 < wait < end - time.monotonic():
            time.sleep(wait)

    def _bytes(self, method: str, path: Path, **options: Any) -> bytes:
        return self._send(method, path, is_file=True, **options).body

    def _text(self, method: str, path: Path, **options: Any) -> str:
        try:
            return self._send(method, path, **options).body.decode()
        except UnicodeDecodeError as error:
            raise ConnectionFailed("the answer is no text in UTF-8") from error

    def _json(self, method: str, path: Path, **options: Any) -> Any:
        return json_object(self._send(method, path, **options).body)

    def _pages(self, path: Path, limit: int, key: Optional[str], *, at_root: bool,
               query: Mapping[str, Any]) -> Iterator[Any]:
        """Items of all pages. An item with a key that new ones pushed to the next page comes once."""
        previous: Set[str] = set()
        repeated = 0
        for page in range(1, _MOST_PAGES):
            answer = self._json("GET", path, at_root=at_root, query=dict(query, page=page, limit=limit))
            items: List[Any] = answer.get("data")
            if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
                raise ConnectionFailed("the answer has no list")
            new = [item for item in items if key is None or repr(item.get(key)) not in previous]
            yield from new
            if len(items) < limit:
                return
            repeated = 0 if new else repeated + 1
            if repeated > _MOST_REPEATED:
                raise ConnectionFailed("the list repeats its items for ever")
            previous = {repr(item[key]) for item in items if key in item}


def json_object(text: bytes) -> Dict[str, Any]:
    """The JSON object of an answer. Raises ConnectionFailed for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConnectionFailed("the answer is no JSON: is this the address of the service?") from error
    if not isinstance(value, dict):
        raise ConnectionFailed("the answer is no JSON object: is this the address of the service?")
    return value


def _query(values: Mapping[str, Any]) -> str:
    given: Dict[str, str] = {}
    for name, value in values.items():
        if value is not None:
            given[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return "?" + urllib.parse.urlencode(given) if given else ""


def _json_body(value: Any) -> Body:
    data = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    return Body("application/json", len(data), lambda: iter([data]))


def _error_in(answer: Answer) -> ApiError:
    try:
        body = json.loads(answer.body)
    except (ValueError, RecursionError):
        body = {}
    error = error_of(answer.status, body if isinstance(body, dict) else {}, answer.headers)
    error.retry_after = read_retry_after(answer.headers)
    return error
