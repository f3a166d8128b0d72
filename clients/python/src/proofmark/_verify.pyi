"""Interface of the project's src/pages/verify.py, which the build puts here."""

from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Tuple

MAX_CERTIFICATE_BYTES: int
BASE58: str
FORMS: Dict[str, Callable[[Any], bool]]
LIST_KEY: Callable[[Any], bool]

def address_of(account: bytes) -> str: ...

class Refused(Exception): ...
class Bad(Exception): ...

class NoteKey:
    def __init__(self, stated: str, kind: int) -> None: ...

class Policy:
    def __init__(self, data: bytes) -> None: ...

class Trust:
    def __init__(
        self,
        file_hash: Optional[str],
        accounts: Sequence[str],
        log_keys: Sequence[NoteKey],
        policy: Optional[Policy],
        list_keys: Sequence[str],
        issuer_keys: Sequence[NoteKey],
    ) -> None: ...

class Report:
    bundle: Dict[str, Any]
    anchor: Dict[str, Any]
    checks: List[Dict[str, str]]
    def conclude(self) -> Tuple[Literal["proven", "notProvenYet", "notProven"], str]: ...

def verify(data: bytes, is_pdf: bool, trust: Trust) -> Report: ...
