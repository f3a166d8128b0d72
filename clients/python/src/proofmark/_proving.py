"""Proves files one by one, and folders in batches that can be resumed."""

import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Set, Union

from . import types
from ._operations import Operations
from ._retries import backoff, wait_before_retry
from .errors import ApiError, ConnectionFailed, ProofmarkError, ProofTimeout, error_of
from .files import FileToHash, HashedFile, PathLike, Progress, files_of, hash_file

_BATCH_ITEMS = 1000
_LATER_SECONDS = 5.0


@dataclass(frozen=True)
class Proof:
    """A completed proof.

    timestamp: close time of the ledger (ISO 8601). nonce: confidential, None if it was given before; the
    certificate contains it. path: the proven file, None for bytes, streams and bare hashes.
    """

    hash: str
    proof_id: str
    tx_hash: str
    timestamp: str
    already_proven: bool
    nonce: Optional[str] = field(default=None, repr=False)
    path: Optional[str] = None


@dataclass(frozen=True)
class Failed:
    """A file that was not proven, and why: an ApiError, a ProofTimeout or an OSError."""

    path: Optional[str]
    error: Exception


class NotAllProven(ProofmarkError):
    """Some files were not proven. `proofs` has those that were, `failed` the others with their errors."""

    def __init__(self, proofs: List[Proof], failed: List[Failed]) -> None:
        self.proofs, self.failed = proofs, failed
        first = failed[0]
        super().__init__("%d of %d files were not proven; the first is %s: %s" % (
            len(failed), len(failed) + len(proofs), first.path, first.error))


class Proving(Operations):
    """Proving of files by their hashes: no file leaves the computer."""

    workspace: Optional[str] = None

    def prove(self, file: Union[FileToHash, HashedFile], *, workspace: Optional[str] = None,
              file_name: Optional[str] = None, metadata: Optional[Mapping[str, Any]] = None,
              timeout: float = 300.0, progress: Optional[Progress] = None) -> Proof:
        """Hashes a file, proves its hash, and waits until the proof is completed.

        The same file again gives the same proof. timeout: seconds. progress: called while the file is hashed.
        Raises ApiError, ConnectionFailed, ProofTimeout, and OSError for a file that cannot be read.
        """
        hashed = file if isinstance(file, HashedFile) else hash_file(file, progress)
        end = time.monotonic() + timeout
        body: Dict[str, Any] = {"workspace": self._workspace(workspace), **_item(hashed, file_name, metadata)}
        while True:
            left = max(1.0, end - time.monotonic())
            try:
                answer = self._json("POST", ("/proofs", []), body=body, timeout=left)
            except ApiError as error:
                if error.code == "XRPL_ERROR":  # sent again until the time was over
                    raise ProofTimeout("the ledger is away: %s" % error) from error
                if error.code != "PROOF_NOT_RECORDED":
                    raise
                if time.monotonic() + _LATER_SECONDS >= end:
                    raise ProofTimeout("the proof was not completed in %g seconds" % timeout, error.proof_id) from error
                time.sleep(_LATER_SECONDS)
            else:
                return _proof(answer.get("data"), hashed, answer.get("alreadyProven") is True)

    def wait_for_proof(self, proof_id: str, *, timeout: float = 300.0) -> types.ProofStatus:
        """Asks for a proof until it is completed. Raises ProofTimeout after so many seconds, and ApiError."""
        end, asked = time.monotonic() + timeout, 0
        while True:
            status = self.get_proof(proof_id)["data"]
            if status["blockchainStatus"] == "completed":
                return status
            asked += 1
            wait = backoff(asked)
            if time.monotonic() + wait >= end:
                raise ProofTimeout("the proof was not completed in %g seconds" % timeout, proof_id)
            time.sleep(wait)

    def prove_all(self, source: Union[PathLike, Iterable[Union[PathLike, HashedFile]]], *,
                  workspace: Optional[str] = None, timeout: float = 300.0,
                  on_proof: Optional[Callable[[Proof], None]] = None) -> List[Proof]:
        """Proves all files of a folder and its subfolders, or of an iterable, up to 1,000 in each call.

        Killed in the middle and run again, it sends only the hashes that are not proven yet: no file is
        proven twice. timeout: seconds for each 1,000 files. on_proof: called with each proof as it comes; keep
        its nonce there, since a second run does not receive it again. Raises NotAllProven at the end if a
        file failed; ApiError or ConnectionFailed at once if a whole call fails.
        """
        own = self._workspace(workspace)
        proofs: List[Proof] = []
        failed: List[Failed] = []
        for batch in _batches(source, failed):
            for result in self._prove_batch(own, batch, timeout):
                if isinstance(result, Failed):
                    failed.append(result)
                    continue
                proofs.append(result)
                if on_proof is not None:
                    on_proof(result)
        if failed:
            raise NotAllProven(proofs, failed)
        return proofs

    def _prove_batch(self, workspace: str, batch: List[HashedFile], timeout: float) -> Iterator[Union[Proof, Failed]]:
        by_hash: Dict[str, List[HashedFile]] = {}
        for hashed in batch:
            by_hash.setdefault(hashed.hash, []).append(hashed)
        asked = list(by_hash)
        found_now = self.look_up_proofs({"workspace": workspace, "hashes": asked}).get("data")
        for known in _one_each(found_now, len(asked)):
            if known.get("hash") != asked.pop(0):
                raise ConnectionFailed("the answer is not about the hashes that were asked, in their order")
            if known.get("proven") is True:
                for hashed in by_hash.pop(known["hash"]):
                    yield _proof(known, hashed, True)
        end, attempt = time.monotonic() + timeout, 0
        proof_ids: Set[str] = set()
        while by_hash:
            attempt += 1
            sent = [files[0] for files in by_hash.values()]
            body = {"workspace": workspace, "items": [_item(hashed) for hashed in sent]}
            left = max(1.0, end - time.monotonic())
            answer = self._json("POST", ("/proofs/batch", []), body=body, timeout=left)
            waits: List[float] = []
            results = _one_each(answer.get("data"), len(sent))
            for hashed, result in zip(sent, results):
                found = result.get("body")
                if not isinstance(found, dict):
                    raise ConnectionFailed("the result of a hash is neither proof nor error")
                if found.get("success") is True:
                    data = _text_members(found.get("data"))
                    if data["proofId"] in proof_ids:
                        raise ConnectionFailed("the answer has one proof for several hashes")
                    proof_ids.add(data["proofId"])
                    for index, each in enumerate(by_hash.pop(hashed.hash)):
                        yield _proof(data, each, found.get("alreadyProven") is True or index > 0)
                    continue
                status = result.get("status")
                if not isinstance(status, int) or not isinstance(found.get("code"), str):
                    raise ConnectionFailed("the result of a hash is neither proof nor error")
                error = error_of(status, found, {})
                stated = result.get("retryAfterSeconds")
                error.retry_after = float(stated) if isinstance(stated, int) and 0 <= stated < 10 ** 9 else None
                wait = _LATER_SECONDS if error.code == "PROOF_NOT_RECORDED" else wait_before_retry(error, attempt, True)
                if wait is None or time.monotonic() + wait >= end:
                    for each in by_hash.pop(hashed.hash):
                        yield Failed(each.path, error)
                else:
                    waits.append(wait)
            if waits:
                time.sleep(max(waits))

    def _workspace(self, given: Optional[str]) -> str:
        """The named workspace, that of the client, or the only one of the organisation."""
        found = given or self.workspace
        if found is None:
            workspaces = self.list_workspaces()["data"]
            if len(workspaces) != 1:
                raise ValueError("name a workspace: the organisation has %d" % len(workspaces))
            found = self.workspace = workspaces[0]["id"]
        return found


def _batches(source: Union[PathLike, Iterable[Union[PathLike, HashedFile]]], failed: List[Failed]) -> Iterator[List[HashedFile]]:
    batch: List[HashedFile] = []
    for entry in _entries(source):
        try:
            batch.append(entry if isinstance(entry, HashedFile) else hash_file(entry))
        except OSError as error:
            failed.append(Failed(str(entry), error))
        if len(batch) == _BATCH_ITEMS:
            yield batch
            batch = []
    if batch:
        yield batch


def _entries(source: Union[PathLike, Iterable[Union[PathLike, HashedFile]]]) -> Iterator[Union[PathLike, HashedFile]]:
    if isinstance(source, (str, bytes)) or hasattr(source, "__fspath__"):
        yield from files_of(source)  # type: ignore[arg-type]
    else:
        yield from source


def _item(hashed: HashedFile, file_name: Optional[str] = None, metadata: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
    item: Dict[str, Any] = {"hash": hashed.hash, "fileSize": hashed.size}
    if file_name or hashed.name:
        item["fileName"] = file_name or hashed.name
    if metadata is not None:
        item["metadata"] = metadata
    return item


def _one_each(results: Any, count: int) -> List[Dict[str, Any]]:
    if not isinstance(results, list) or len(results) != count or not all(isinstance(one, dict) for one in results):
        raise ConnectionFailed("the answer has not one result for each hash")
    return results


def _text_members(data: Any) -> Dict[str, Any]:
    names = ("proofId", "txHash", "timestamp")
    if not isinstance(data, dict) or not all(isinstance(data.get(name), str) and data[name] for name in names):
        raise ConnectionFailed("the service answered with a proof that is not completed")
    return data


def _proof(given: Any, hashed: HashedFile, already_proven: bool) -> Proof:
    data = _text_members(given)
    return Proof(hashed.hash, data["proofId"], data["txHash"], data["timestamp"], already_proven,
                 data.get("proofNonce"), hashed.path)
