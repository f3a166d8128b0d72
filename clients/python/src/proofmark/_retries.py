"""Decides whether and when a failed call is sent again, by the advice of the service."""

import email.utils
import random
import re
import time
from typing import Mapping, Optional

from ._advice import RULES
from .errors import ApiError

_SOON_SECONDS = 3.0
_MOST_SOON = 5


def wait_before_retry(error: ApiError, attempt: int, idempotent: bool) -> Optional[float]:
    """Seconds to wait before the next attempt; None if the call must not be sent again.

    attempt: number of the attempt that failed, from 1 on.
    """
    stated = error.retry_after
    rule = RULES.get(error.code, (0, ""))[1]
    if rule == "":
        rule = _rule_without_code(error.status)
    if rule == "once":
        return backoff(attempt) if attempt == 1 else None
    if rule == "soon":
        if attempt > _MOST_SOON:
            return None
        return _SOON_SECONDS if stated is None else stated
    if rule == "once after Retry-After":
        return _or_backoff(stated, attempt) if attempt == 1 else None
    if rule == "once if idempotent":
        return backoff(attempt) if attempt == 1 and idempotent else None
    if rule == "after Retry-After":
        return _or_backoff(stated, attempt)
    if rule == "after Retry-After if idempotent":
        return _or_backoff(stated, attempt) if idempotent else None
    return None


def _rule_without_code(status: int) -> str:
    """Rule for an answer of a proxy, which has no code of the service."""
    if status in (502, 503, 504):
        return "after Retry-After if idempotent"
    return "once after Retry-After" if status == 429 else "never"


def _or_backoff(stated: Optional[float], attempt: int) -> float:
    return backoff(attempt) if stated is None else stated


def backoff(attempt: int) -> float:
    """Seconds to wait if none are stated: doubled each time up to 15, and spread at random."""
    return min(15.0, 0.5 * 2.0 ** (attempt - 1)) * (0.5 + random.random() / 2)


def read_retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Seconds in Retry-After: a number, or an HTTP date. None without the header."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", value):
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (OverflowError, TypeError, ValueError):
        return None
