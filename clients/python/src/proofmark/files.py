"""Hashing of files and streams, and finding files in folders."""

import hashlib
import io
import os
from dataclasses import dataclass
from stat import S_ISREG
from typing import BinaryIO, Callable, Iterable, Iterator, Optional, Tuple, Union

from .errors import FileChanged

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
    """SHA-256 of a file (64 hexadecimal characters), its size in bytes, and its name if it has one.

    A hash in upper case is kept in lower case, as the API and bundles write it.
    """

    hash: str
    size: int
    name: Optional[str] = None
    path: Optional[str] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", self.hash.lower())


def hash_file(file: FileToHash, progress: Optional[Progress] = None) -> HashedFile:
    """Hashes a file in pieces of 1 MB. A stream is read from its position to its end.

    Raises OSError, and FileChanged if a file was altered meanwhile.
    """
    if isinstance(file, bytes):
        return _hash_stream(io.BytesIO(file), len(file), progress)
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        before = os.stat(path)
        with open(path, "rb") as stream:
            hashed = _hash_stream(stream, before.st_size, progress)
        # Pipes and devices change when they are read.
        if S_ISREG(before.st_mode) and _state_of(os.stat(path)) != _state_of(before):
            raise FileChanged("%s was altered while it was read" % path)
        return HashedFile(hashed.hash, hashed.size, os.path.basename(path), path)
    return _hash_stream(file, None, progress)


def _state_of(found: os.stat_result) -> Tuple[int, ...]:
    """Changes when the file does."""
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _hash_stream(stream: BinaryIO, total: Optional[int], progress: Optional[Progress]) -> HashedFile:
    digest, done = hashlib.sha256(), 0
    for chunk in iter(lambda: stream.read(_CHUNK_BYTES), b""):
        digest.update(chunk)
        done += len(chunk)
        if progress is not None:
            progress(done, total)
    return HashedFile(digest.hexdigest(), done)


def sendable_name(name: str) -> Optional[str]:
    """The name of a file as a text; None if its bytes are no text in UTF-8, as is possible on Linux."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return None
    return name


def files_of(source: Union[PathLike, Iterable[PathLike]],
             on_error: Optional[Callable[[str, OSError], None]] = None) -> Iterator[str]:
    """Paths of all files of a folder and its subfolders, and of links to files, sorted; or those of the iterable.

    Raises OSError for a folder that cannot be listed, and for an entry that is no file: links to folders are not
    followed. on_error: called with the path of such a subfolder or entry, instead of raising the error.
    """
    if not isinstance(source, (str, os.PathLike)):
        for each in source:
            yield os.fspath(each)
    elif os.path.isfile(source):
        yield os.fspath(source)
    else:
        yield from _in_folder(os.fspath(source), on_error)


def _in_folder(folder: str, on_error: Optional[Callable[[str, OSError], None]]) -> Iterator[str]:
    with os.scandir(folder) as listing:
        entries = sorted(listing, key=lambda entry: entry.name)
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _in_folder(entry.path, on_error)
                continue
            if not S_ISREG(entry.stat().st_mode):
                raise OSError("%s is no file" % entry.path)
        except OSError as error:
            if on_error is None:
                raise
            on_error(entry.path, error)
        else:
            yield entry.path
