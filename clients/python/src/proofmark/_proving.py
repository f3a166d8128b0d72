"""Proves files one by one, and folders in batches that can be resumed."""

import time
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Union, cast

from . import types
from ._batches import LATER_SECONDS, MOST_ITEMS, BatchProving
from ._calls import json_object
from ._proofs import Failed, NotAllProven, Proof, data_of, item_of, proof_of
from ._retries import backoff
from .errors import ApiError, ConnectionFailed, ProofTimeout
from .files import FileToHash, HashedFile, PathLike, Progress, files_of, hash_file


class Proving(BatchProving):
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
        body: Dict[str, Any] = {"workspace": self._workspace(workspace), **item_of(hashed, file_name, metadata)}
        while True:
            left = max(1.0, end - time.monotonic())
            try:
                answer = self._json("POST", ("/proofs", []), body=body, timeout=left)
            except ApiError as error:
                if error.code == "XRPL_ERROR":  # sent again until the time was over
                    raise ProofTimeout("the ledger is away: %s" % error) from error
                if error.code != "PROOF_NOT_RECORDED":
                    raise
                if time.monotonic() + LATER_SECONDS >= end:
                    raise ProofTimeout("the proof was not completed in %g seconds" % timeout, error.proof_id) from error
                time.sleep(LATER_SECONDS)
            else:
                return proof_of(answer.get("data"), hashed, answer.get("alreadyProven") is True)

    def wait_for_proof(self, proof_id: str, *, timeout: float = 300.0) -> types.ProofStatus:
        """Asks for a proof until it is completed.

        Raises ProofTimeout after so many seconds, also if the service cannot be reached or never answers; ApiError;
        and ConnectionFailed if something else answers in place of the service. No answer is awaited longer than the
        time that is left, or one second.
        """
        end, asked = time.monotonic() + timeout, 0
        late = "the proof was not completed in %g seconds" % timeout
        while True:
            try:
                left = max(1.0, end - time.monotonic())
                answer = self._send("GET", ("/proofs/{}", [proof_id]), timeout=left, ends_in_time=True)
            except ConnectionFailed as error:  # sent again until the time was over
                raise ProofTimeout("%s: %s" % (late, error), proof_id) from error
            status = data_of(json_object(answer.body))
            if status.get("blockchainStatus") == "completed":
                return cast(types.ProofStatus, status)
            if not isinstance(status.get("blockchainStatus"), str):
                raise ConnectionFailed("the answer has no status: is this the address of the service?")
            asked += 1
            wait = backoff(asked)
            if time.monotonic() + wait >= end:
                raise ProofTimeout(late, proof_id)
            time.sleep(wait)

    def prove_all(self, source: Union[PathLike, Iterable[Union[PathLike, HashedFile]]], *,
                  workspace: Optional[str] = None, timeout: float = 300.0,
                  on_proof: Optional[Callable[[Proof], None]] = None) -> List[Proof]:
        """Proves all files of a folder and its subfolders, or of an iterable, up to 1,000 in each call.

        Proves links to files. Other entries of a folder fail: links to folders, pipes, sockets. Killed in the
        middle and run again, it sends only the hashes that are not proven yet: no file is proven twice.
        timeout: seconds for each 1,000 files. on_proof: called with each proof as it comes; keep its nonce
        there, since a second run does not receive it again. Raises NotAllProven at the end if a file failed, and
        early if a call fails, such as RateLimited when the items of the day are used up: it has the proofs so far,
        and the error as `cause`. Raises that ApiError or ConnectionFailed itself if there is no result yet.
        """
        own = self._workspace(workspace)
        proofs: List[Proof] = []
        failed: List[Failed] = []
        for proof in self._prove_each(own, _batches(source, failed), timeout, proofs, failed):
            if on_proof is not None:
                on_proof(proof)
        if failed:
            raise NotAllProven(proofs, failed)
        return proofs

    def _prove_each(self, workspace: str, batches: Iterable[List[HashedFile]], timeout: float, proofs: List[Proof],
                    failed: List[Failed]) -> Iterator[Proof]:
        """Collects the results, and yields each proof. An error of the caller's on_proof never comes here."""
        for batch in batches:
            try:
                for result in self._prove_batch(workspace, batch, timeout):
                    if isinstance(result, Failed):
                        failed.append(result)
                        continue
                    proofs.append(result)
                    yield result
            except (ApiError, ConnectionFailed) as error:
                if not proofs and not failed:
                    raise
                raise NotAllProven(proofs, failed, error) from error

    def _workspace(self, given: Optional[str]) -> str:
        """The named workspace, that of the client, or the only one of the organisation."""
        found = given or self.workspace
        if found is None:
            answer: Any = self.list_workspaces()
            workspaces = answer.get("data")
            if not isinstance(workspaces, list) or not all(isinstance(one, dict) and one.get("id") for one in workspaces):
                raise ConnectionFailed("the answer has no workspaces: is this the address of the service?")
            if len(workspaces) != 1:
                raise ValueError("name a workspace: the organisation has %d" % len(workspaces))
            found = self.workspace = str(workspaces[0]["id"])
        return found


def _batches(source: Union[PathLike, Iterable[Union[PathLike, HashedFile]]], failed: List[Failed]) -> Iterator[List[HashedFile]]:
    batch: List[HashedFile] = []
    for entry in _entries(source, failed):
        try:
            batch.append(entry if isinstance(entry, HashedFile) else hash_file(entry))
        except OSError as error:
            failed.append(Failed(str(entry), error))
        if len(batch) == MOST_ITEMS:
            yield batch
            batch = []
    if batch:
        yield batch


def _entries(source: Union[PathLike, Iterable[Union[PathLike, HashedFile]]],
             failed: List[Failed]) -> Iterator[Union[PathLike, HashedFile]]:
    if isinstance(source, (str, bytes)) or hasattr(source, "__fspath__"):
        yield from files_of(source, lambda path, error: failed.append(Failed(path, error)))  # type: ignore[arg-type]
    else:
        yield from source
