"""Hashing of files and streams, and finding files in folders."""

import hashlib
import io
import os
from dataclasses import dataclass
from typing import BinaryIO, Callable, Iterable, Iterator, Optional, Union

PathLike = Union[str, "os.PathLike[str]"]
# A path, the bytes themselves, or an open binary stream.
FileToHash = Union[PathLike, bytes, BinaryIO]
# Streams must be able to seek: a retry sends them again.
FileToSend = FileToHash
# Called with the bytes hashed so far and with all bytes, None if unknown.
Progress = Callable[[int, Optional[int]], None]

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class HashedFile:
    """SHA-256 of a file (64 hexadecimal characters), its size in bytes, and its name if it has one."""

    hash: str
    size: int
    name: Optional[str] = None
    path: Optional[str] = None


def hash_file(file: FileToHash, progress: Optional[Progress] = None) -> HashedFile:
    """Hashes a file in pieces of 1 MB. A stream is read from its position to its end. Raises OSError."""
    if isinstance(file, bytes):
        return _hash_stream(io.BytesIO(file), len(file), progress)
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        with open(path, "rb") as stream:
            hashed = _hash_stream(stream, os.fstat(stream.fileno()).st_size, progress)
        return HashedFile(hashed.hash, hashed.size, os.path.basename(path), path)
    return _hash_stream(file, None, progress)


def _hash_stream(stream: BinaryIO, total: Optional[int], progress: Optional[Progress]) -> HashedFile:
    digest, done = hashlib.sha256(), 0
    for chunk in iter(lambda: stream.read(_CHUNK_BYTES), b""):
        digest.update(chunk)
        done += len(chunk)
        if progress is not None:
            progress(done, total)
    return HashedFile(digest.hexdigest(), done)


def files_of(source: Union[PathLike, Iterable[PathLike]]) -> Iterator[str]:
    """Paths of all regular files of a folder and its subfolders, sorted; or the paths of the iterable.

    Symbolic links inside the folder are left out. Raises OSError for a folder that cannot be listed.
    """
    if not isinstance(source, (str, os.PathLike)):
        for each in source:
            yield os.fspath(each)
    elif os.path.isfile(source):
        yield os.fspath(source)
    else:
        yield from _in_folder(os.fspath(source))


def _in_folder(folder: str) -> Iterator[str]:
    with os.scandir(folder) as listing:
        entries = sorted(listing, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_file(follow_symlinks=False):
            yield entry.path
        elif entry.is_dir(follow_symlinks=False):
            yield from _in_folder(entry.path)
