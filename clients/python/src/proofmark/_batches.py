"""Proves up to 1,000 hashes by batches, until each is proven or refused."""

import time
from collections import Counter
from typing import Any, Counter as CounterOf, Dict, Iterator, List, Optional, Set, Tuple, Union

from ._operations import Operations
from ._proofs import Failed, Proof, item_of, one_each, proof_of, text_members
from ._retries import backoff, wait_before_retry
from .errors import ApiError, ConnectionFailed, RateLimited, error_of
from .files import HashedFile

LATER_SECONDS = 5.0
MOST_ITEMS = 1000  # of a batch


class BatchProving(Operations):
    """Proving of many hashes, each at most once."""

    def _prove_batch(self, workspace: str, batch: List[HashedFile], timeout: float) -> Iterator[Union[Proof, Failed]]:
        by_hash: Dict[str, List[HashedFile]] = {}
        for hashed in batch:
            by_hash.setdefault(hashed.hash, []).append(hashed)
        for known in self._look_up(workspace, list(by_hash)):
            if known.get("proven") is True:
                for hashed in by_hash.pop(known["hash"]):
                    yield proof_of(known, hashed, True)
        end, attempt = time.monotonic() + timeout, 0
        failures: CounterOf[Tuple[str, str]] = Counter()  # of each hash, by code
        proof_ids: Set[str] = set()
        errors: Dict[str, ApiError] = {}
        queued: Set[str] = set()
        refused = False  # nothing of the last batch was taken: one hash finds out when the service takes them again
        while by_hash:
            ready = [files[0] for each, files in by_hash.items() if each not in queued]
            if not ready:
                still = self._await_queued(workspace, list(queued), end)
                yield from _failed(by_hash, still, errors)
                queued.clear()
                continue
            attempt += 1
            sent = ready[:1 if refused else self._sendable()]
            queued_before = len(queued)
            left_before = len(by_hash)
            body = {"workspace": workspace, "items": [item_of(hashed) for hashed in sent]}
            left = max(1.0, end - time.monotonic())
            try:
                answer = self._json("POST", ("/proofs/batch", []), body=body, timeout=left)
            except RateLimited:
                if not 0 < (self._items.left() or 0) < len(sent):
                    raise
                continue  # the refusal has stated that a smaller batch is allowed
            waits: List[float] = []
            for hashed, (data, error) in zip(sent, _decisions(answer.get("data"), len(sent), proof_ids)):
                if error is None:
                    for index, each in enumerate(by_hash.pop(hashed.hash)):
                        yield proof_of(data, each, data.get("alreadyProven") is True or index > 0)
                    continue
                errors[hashed.hash] = error
                if error.code == "PROOF_NOT_RECORDED":
                    queued.add(hashed.hash)
                    continue
                failures[hashed.hash, error.code] += 1
                wait = wait_before_retry(error, failures[hashed.hash, error.code], True)
                if wait is None:
                    yield from _failed(by_hash, [hashed.hash], errors)
                elif time.monotonic() + wait >= end:
                    unsent = [each for each in by_hash if each not in queued]
                    yield from _failed(by_hash, unsent if refused else [hashed.hash], errors)
                else:
                    waits.append(wait)
                    # Sent after the others, so that a hash that is always refused stops none of them.
                    by_hash[hashed.hash] = by_hash.pop(hashed.hash)
            refused = len(by_hash) == left_before and len(queued) == queued_before
            if waits:
                time.sleep(max(waits + [backoff(attempt)] if refused else waits))

    def _sendable(self) -> int:
        """Hashes of the largest batch that is allowed now. A single one is always sent: the refusal states when the
        next item is available."""
        left = self._items.left()
        return MOST_ITEMS if left is None else max(1, left)

    def _look_up(self, workspace: str, hashes: List[str], **limits: float) -> List[Dict[str, Any]]:
        answer = self._json("POST", ("/proofs/lookup", []), body={"workspace": workspace, "hashes": hashes}, **limits)
        known = one_each(answer.get("data"), len(hashes))
        if [one.get("hash") for one in known] != hashes:
            raise ConnectionFailed("the answer is not about the hashes that were asked, in their order")
        return known

    def _await_queued(self, workspace: str, hashes: List[str], end: float) -> List[str]:
        """Looks hashes up, which costs no items, until none is queued or the time is over. Returns those that still are.
        The others are sent again, for their nonces."""
        while hashes and time.monotonic() + LATER_SECONDS < end:
            time.sleep(LATER_SECONDS)
            known = self._look_up(workspace, hashes, timeout=max(1.0, end - time.monotonic()))
            hashes = [one["hash"] for one in known if one.get("proven") is not True and one.get("proofId") is not None]
        return hashes


def _decisions(results: Any, count: int, proof_ids: Set[str]) -> List[Tuple[Dict[str, Any], Optional[ApiError]]]:
    """Proof or error of each hash. Checks the whole answer first, so that nothing of a false one is used."""
    decisions: List[Tuple[Dict[str, Any], Optional[ApiError]]] = []
    for result in one_each(results, count):
        status, found = result.get("status"), result.get("body")
        if isinstance(found, dict) and found.get("success") is True:
            data = text_members(found.get("data"))
            if data["proofId"] in proof_ids:
                raise ConnectionFailed("the answer has one proof for several hashes")
            proof_ids.add(data["proofId"])
            decisions.append((dict(data, alreadyProven=found.get("alreadyProven")), None))
        elif isinstance(found, dict) and isinstance(status, int) and isinstance(found.get("code"), str):
            error, stated = error_of(status, found, {}), result.get("retryAfterSeconds")
            error.retry_after = float(stated) if isinstance(stated, int) and 0 <= stated < 10 ** 9 else None
            decisions.append(({}, error))
        else:
            raise ConnectionFailed("the result of a hash is neither proof nor error")
    return decisions


def _failed(by_hash: Dict[str, List[HashedFile]], hashes: List[str], errors: Dict[str, ApiError]) -> Iterator[Failed]:
    for each in hashes:
        for hashed in by_hash.pop(each):
            yield Failed(hashed.path, errors[each])
