"""Proofs and failures of files, and their forms in calls."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

from .errors import ConnectionFailed, ProofmarkError
from .files import HashedFile, sendable_name


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
    """A file, link or subfolder that was not proven, and why: an ApiError or an OSError."""

    path: Optional[str]
    error: Exception


class NotAllProven(ProofmarkError):
    """Some files were not proven.

    proofs: those that were. failed: files that failed alone, with their errors. cause: the error that ended the
    run early, such as RateLimited; None if the run has tried every file. After an early end the remaining files
    are in neither list: run it again.
    """

    def __init__(self, proofs: List[Proof], failed: List[Failed], cause: Optional[ProofmarkError] = None) -> None:
        self.proofs, self.failed, self.cause = proofs, failed, cause
        if cause is not None:
            super().__init__("the run ended after %d proven and %d failed files: %s" % (len(proofs), len(failed), cause))
            return
        first = failed[0]
        super().__init__("%d of %d files were not proven; the first is %s: %s" % (
            len(failed), len(failed) + len(proofs), first.path, first.error))


def item_of(hashed: HashedFile, file_name: Optional[str] = None, metadata: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
    item: Dict[str, Any] = {"hash": hashed.hash, "fileSize": hashed.size}
    name = file_name or (sendable_name(hashed.name) if hashed.name else None)
    if name:
        item["fileName"] = name
    if metadata is not None:
        item["metadata"] = metadata
    return item


def one_each(results: Any, count: int) -> List[Dict[str, Any]]:
    if not isinstance(results, list) or len(results) != count or not all(isinstance(one, dict) for one in results):
        raise ConnectionFailed("the answer has not one result for each hash")
    return results


def data_of(answer: Any) -> Dict[str, Any]:
    """The object `data` of an answer. Raises ConnectionFailed for anything else."""
    data = answer.get("data")
    if not isinstance(data, dict):
        raise ConnectionFailed("the answer has no data: is this the address of the service?")
    return data


def text_members(data: Any) -> Dict[str, Any]:
    names = ("proofId", "txHash", "timestamp")
    if not isinstance(data, dict) or not all(isinstance(data.get(name), str) and data[name] for name in names):
        raise ConnectionFailed("the service answered with a proof that is not completed")
    return data


def proof_of(given: Any, hashed: HashedFile, already_proven: bool) -> Proof:
    data = text_members(given)
    return Proof(hashed.hash, data["proofId"], data["txHash"], data["timestamp"], already_proven,
                 data.get("proofNonce"), hashed.path)
