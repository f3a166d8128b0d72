"""Bodies of uploads: multipart/form-data that is read from the file while it is sent."""

import io
import json
import os
import secrets
from typing import Any, BinaryIO, Iterator, Mapping, Optional

from ._http import Body
from .files import FileToSend, sendable_name


def form_of(file: FileToSend, fields: Mapping[str, Any], file_name: Optional[str]) -> Body:
    """A form with one file. Objects among the fields are sent as JSON; fields that are None are left out."""
    boundary = secrets.token_hex(16)
    head = b""
    for name, value in fields.items():
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            head += _part(boundary, 'name="%s"' % name) + text.encode() + b"\r\n"
    name = file_name or _name_of(file)
    escaped = name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
    head += _part(boundary, 'name="file"; filename="%s"' % escaped, "application/octet-stream")
    tail = b"\r\n--%s--\r\n" % boundary.encode()
    start, size = _extent(file)

    def chunks() -> Iterator[bytes]:
        yield head
        yield from _content(file, start)
        yield tail

    return Body("multipart/form-data; boundary=" + boundary, len(head) + size + len(tail), chunks)


def _part(boundary: str, disposition: str, content_type: Optional[str] = None) -> bytes:
    lines = "--%s\r\nContent-Disposition: form-data; %s\r\n" % (boundary, disposition)
    return (lines + ("Content-Type: %s\r\n" % content_type if content_type else "") + "\r\n").encode()


def _name_of(file: FileToSend) -> str:
    name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
    return (sendable_name(os.path.basename(name)) if isinstance(name, str) else None) or "file"


def _extent(file: FileToSend) -> "tuple[int, int]":
    """Position at which the content starts, and its size in bytes."""
    if isinstance(file, bytes):
        return 0, len(file)
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:  # raises OSError before anything is sent
            return 0, os.fstat(opened.fileno()).st_size
    if not file.seekable():
        raise ValueError("a stream that is uploaded must be able to seek: a retry sends it again")
    start = file.tell()
    end = file.seek(0, os.SEEK_END)
    file.seek(start)
    return start, end - start


def _content(file: FileToSend, start: int) -> Iterator[bytes]:
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            yield from _pieces(opened)
    elif isinstance(file, bytes):
        yield from _pieces(io.BytesIO(file))
    else:
        file.seek(start)
        yield from _pieces(file)


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: stream.read(65536), b"")
