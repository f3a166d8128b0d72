"""Exceptions of the client. All derive from ProofmarkError."""

from typing import Any, Mapping, Optional


class ProofmarkError(Exception):
    """Base of all exceptions of this package."""


class ApiError(ProofmarkError):
    """The service refused a call or failed.

    status: HTTP status. code: code of the error, "" if the answer has none (a proxy sent it).
    request_id: identifies the call in the operator's logs. retry_after: seconds to wait, None if not stated.
    body: the whole body of the answer.
    """

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code = str(body.get("code") or "")
        self.body = dict(body)
        self.request_id: Optional[str] = headers.get("x-request-id")
        self.retry_after: Optional[float] = None
        super().__init__("%d %s: %s" % (status, self.code or "without a code", body.get("message") or "no message"))

    @property
    def proof_id(self) -> Optional[str]:
        """Queued proof, with PROOF_NOT_RECORDED only."""
        value = self.body.get("proofId")
        return value if isinstance(value, str) else None

    @property
    def document_id(self) -> Optional[str]:
        """Stored document, with PROOF_NOT_RECORDED of an upload only. Do not upload it again."""
        value = self.body.get("documentId")
        return value if isinstance(value, str) else None


class InvalidRequest(ApiError):
    """400, 413, 415, 422 and others: the same call will never succeed."""


class NotAllowed(ApiError):
    """401 or 403: key, scope, plan or allowance do not permit the call."""


class NotFound(ApiError):
    """404 or 410: the organisation has no such resource."""


class Conflict(ApiError):
    """409: the resource is in another state than the call needs."""


class RateLimited(ApiError):
    """429: a limit is used up. `retry_after` states when it is available again."""


class ServiceFailed(ApiError):
    """5xx: the service or the ledger failed."""


class ConnectionFailed(ProofmarkError):
    """No complete answer: the service cannot be reached, cut the connection, or was too slow."""


class ProofTimeout(ProofmarkError):
    """The proof was not completed in time. It may still be: call again with the same file."""

    def __init__(self, message: str, proof_id: Optional[str] = None) -> None:
        self.proof_id = proof_id
        super().__init__(message)


class FileChanged(ProofmarkError, OSError):
    """A file was altered while it was hashed. Prove it again when no program writes to it."""


class CannotVerify(ProofmarkError):
    """The certificate, the bundle or an option cannot be read. kind: "certificate", "bundle" or "options"."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class NotGenuine(ProofmarkError):
    """A webhook delivery is forged, altered or too old; or a decision does not belong to its run."""


def error_of(status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> ApiError:
    """The exception for an answer that is no success."""
    kinds = {401: NotAllowed, 403: NotAllowed, 404: NotFound, 410: NotFound, 409: Conflict, 429: RateLimited}
    kind = kinds.get(status, ServiceFailed if status >= 500 else InvalidRequest)
    return kind(status, body, headers)
