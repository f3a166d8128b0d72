"""The client of the API."""

import ssl
from typing import Any, Dict, List, Mapping, Optional, Sequence, cast

from . import types
from ._calls import json_object
from ._proofs import data_of
from ._proving import Proving
from .errors import ConnectionFailed


class Proofmark(Proving):
    """Client of a Proofmark service.

    server: its address, such as https://proofs.example.org. api_key: None for calls without a key.
    workspace: id for new proofs; by default the only workspace of the organisation.
    timeout: seconds for a call with its retries. attempt_timeout: seconds for one answer; large transfers
    have more. ssl_context: for a private certificate authority. Threads may share a client.
    """

    def __init__(self, server: str, api_key: Optional[str] = None, *, workspace: Optional[str] = None,
                 timeout: float = 120.0, attempt_timeout: float = 60.0,
                 ssl_context: Optional[ssl.SSLContext] = None) -> None:
        super().__init__(server, api_key, timeout, attempt_timeout, ssl_context)
        self.workspace = workspace

    def certificate(self, proof_id: str, *, number: Optional[int] = None) -> bytes:
        """The certificate of a completed proof (PDF), the newest one by default.

        Raises ApiError, and ConnectionFailed if something else answers in place of the service.
        """
        found = self.get_certificate(proof_id, number=number)
        if not found.startswith(b"%PDF-"):
            raise ConnectionFailed("the answer is no certificate: is this the address of the service?")
        return found

    def bundle(self, proof_id: str, *, share: bool = False, number: Optional[int] = None) -> bytes:
        """The proof bundle (JSON), as it was issued; with `share` without the nonce.

        Raises ApiError, and ConnectionFailed if something else answers in place of the service.
        """
        found = self._bytes("GET", ("/proofs/{}/bundle", [proof_id]), query={"share": share, "number": number})
        json_object(found)
        return found

    def record_run(self, run_id: str, decisions: Sequence[Mapping[str, Any]] = (), *, anchor: bool = False,
                   workspace: Optional[str] = None, **report: Any) -> types.RecordedAgentRun:
        """Records a run of an agent. With `anchor` its statement is proven: see `proof` of the answer.

        report: other members of the report, by their names in the API. The same run again is the same record.
        Raises Conflict if other content is recorded under this id, and ConnectionFailed for a foreign answer.
        """
        body: Dict[str, Any] = {"runId": run_id, "decisions": _list(decisions), "anchor": anchor, **report}
        own = self._workspace(workspace) if anchor else workspace or self.workspace
        if own is not None:
            body["workspace"] = own
        return cast(types.RecordedAgentRun, data_of(self._json("POST", ("/agent/runs", []), body=body)))

    def run_statement(self, run_id: str) -> bytes:
        """Exactly the bytes whose SHA-256 is proven for an anchored run. Raises ApiError."""
        return self._bytes("GET", ("/agent/runs/{}/statement", [run_id]))


def _list(values: Sequence[Mapping[str, Any]]) -> List[Dict[str, Any]]:
    return [dict(value) for value in values]
