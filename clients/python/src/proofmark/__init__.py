"""Client of Proofmark: permanent, independently verifiable proof that a file existed, unchanged, at a moment."""

from ._proofs import Failed, NotAllProven, Proof
from .client import Proofmark
from .decisions import verify_decision
from .errors import (ApiError, CannotVerify, Conflict, ConnectionFailed, FileChanged, InvalidRequest, NotAllowed,
                     NotFound, NotGenuine, ProofmarkError, ProofTimeout, RateLimited, ServiceFailed)
from .files import HashedFile, hash_file
from .verification import Verification, verify
from .webhooks import verify_webhook

__all__ = [
    "ApiError", "CannotVerify", "Conflict", "ConnectionFailed", "Failed", "FileChanged", "HashedFile", "InvalidRequest",
    "NotAllProven", "NotAllowed", "NotFound", "NotGenuine", "Proof", "ProofTimeout", "Proofmark", "ProofmarkError",
    "RateLimited", "ServiceFailed", "Verification", "hash_file", "verify", "verify_decision", "verify_webhook",
]
