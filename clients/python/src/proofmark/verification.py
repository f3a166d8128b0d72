"""Verifies certificates and bundles offline, with the project's verify.py."""

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Union

from . import _verify
from .errors import CannotVerify
from .files import FileToHash, HashedFile, PathLike, hash_file


@dataclass(frozen=True)
class Verification:
    """Result of all checks. Only "proven" is a proof.

    checks: name, outcome ("ok", "failed" or "notChecked") and detail of each. file, anchor: what the bundle
    states. All of its texts are data of others: escape them wherever you show them.
    """

    result: Literal["proven", "notProvenYet", "notProven"]
    conclusion: str
    checks: List[Dict[str, str]]
    file: Dict[str, Any]
    anchor: Dict[str, Any]

    @property
    def proven(self) -> bool:
        return self.result == "proven"


def verify(file: Optional[Union[FileToHash, HashedFile]], certificate_or_bundle: Union[PathLike, bytes, Mapping[str, Any]], *,
           kind: Optional[Literal["certificate", "bundle"]] = None, accounts: Sequence[str] = (),
           log_keys: Sequence[str] = (), policy: Optional[str] = None, validator_list_keys: Sequence[str] = (),
           issuer_keys: Sequence[str] = ()) -> Verification:
    """Checks a file against its certificate (PDF) or proof bundle (JSON). Asks no server.

    certificate_or_bundle: a path, the bytes, or a bundle as an object. kind: by default found by the first byte.
    accounts, log_keys, policy (a tlog-policy), validator_list_keys, issuer_keys: what you trust, as in verify.py.
    Raises CannotVerify if the certificate, the bundle or an option cannot be read, and OSError.
    """
    trust = _trust(file, accounts, log_keys, policy, validator_list_keys, issuer_keys)
    data = _read(certificate_or_bundle)
    is_pdf = kind == "certificate" if kind is not None else not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    try:
        report = _verify.verify(data, is_pdf, trust)
    except _verify.Refused as error:
        raise CannotVerify("certificate" if is_pdf else "bundle", str(error)) from error
    result, words = report.conclude()
    return Verification(result, words, report.checks, report.bundle["file"], report.anchor)


def _trust(file: Optional[Union[FileToHash, HashedFile]], accounts: Sequence[str], log_keys: Sequence[str],
           policy: Optional[str], validator_list_keys: Sequence[str], issuer_keys: Sequence[str]) -> "_verify.Trust":
    named = {"accounts": accounts, "log_keys": log_keys, "validator_list_keys": validator_list_keys, "issuer_keys": issuer_keys}
    for name, given in named.items():
        if isinstance(given, (str, bytes)):
            raise CannotVerify("options", "%s must be a list" % name)
    for account in accounts:
        if not _is_address(account):
            raise CannotVerify("options", "accounts: %.200r is not an account address (r…)" % (account,))
    for key in validator_list_keys:
        if not _verify.LIST_KEY(key):
            form = "66 hexadecimal digits, beginning with ED, 02 or 03"
            raise CannotVerify("options", "validator_list_keys: %.200r must be %s" % (key, form))
    try:
        keys = [_verify.NoteKey(key, 1) for key in log_keys]
        issuers = [_verify.NoteKey(key, 1) for key in issuer_keys]
        witnesses = _verify.Policy(policy.encode()) if policy is not None else None
    except _verify.Bad as error:
        raise CannotVerify("options", str(error)) from error
    if isinstance(file, HashedFile) and not _verify.FORMS["digest"](file.hash):
        raise CannotVerify("options", "hash: %.200r must be 64 hexadecimal characters" % (file.hash,))
    digest = None if file is None else (file if isinstance(file, HashedFile) else hash_file(file)).hash
    return _verify.Trust(digest, list(accounts), keys, witnesses, list(validator_list_keys), issuers)


def _is_address(given: str) -> bool:
    """True for an account address with the right check digits."""
    if not _verify.FORMS["account"](given):
        return False
    number = 0
    for letter in given:
        number = number * 58 + _verify.BASE58.index(letter)
    return _verify.address_of((number >> 32).to_bytes(32, "big")[-20:]) == given


def _read(given: Union[PathLike, bytes, Mapping[str, Any]]) -> bytes:
    if isinstance(given, bytes):
        return given
    if isinstance(given, (str, os.PathLike)):
        with open(given, "rb") as stream:
            return stream.read(_verify.MAX_CERTIFICATE_BYTES + 1)
    return json.dumps(given, ensure_ascii=False).encode()
