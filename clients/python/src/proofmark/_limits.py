"""Limits that answers state in their header RateLimit."""

import re
import time
from typing import Dict, Iterator, Mapping, Optional, Tuple

_ITEMS = ("items", "organisation-items")


def limits_in(headers: Mapping[str, str]) -> Iterator[Tuple[str, int, float]]:
    """Name, rest, and seconds until all of it is available again, of each limit."""
    for name, left, seconds in re.findall(r'"([^"]*)";r=(\d{1,12});t=(\d{1,12})', headers.get("ratelimit", "")):
        yield name, int(left), float(seconds)


def pause_of(headers: Mapping[str, str]) -> float:
    """Seconds until requests are left again; 0 if some are left. Only batches use up the limits of items."""
    return max((seconds for name, left, seconds in limits_in(headers) if left == 0 and name not in _ITEMS), default=0.0)


class ItemLimits:
    """Items that batches may still have. Only answers to batches state them."""

    def __init__(self) -> None:
        self._left: Dict[str, Tuple[int, float]] = {}

    def note(self, headers: Mapping[str, str]) -> None:
        for name, left, seconds in limits_in(headers):
            if name in _ITEMS:
                self._left[name] = (left, time.monotonic() + seconds)

    def left(self) -> Optional[int]:
        """Items of the largest batch that is allowed now; None if no answer has stated a limit."""
        now = time.monotonic()
        return min((left for left, reset_at in list(self._left.values()) if now < reset_at), default=None)
