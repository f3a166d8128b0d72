"""Checks deliveries of webhooks (Standard Webhooks 1.0)."""

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Mapping, Sequence, Union, cast

from .errors import NotGenuine
from .types import WebhookEvent

_PREFIX = "whsec_"


def verify_webhook(secret: Union[str, Sequence[str]], headers: Mapping[str, str], body: bytes, *,
                   tolerance: float = 300.0) -> WebhookEvent:
    """The event of a genuine delivery. Raises NotGenuine.

    secret: `whsec_…`, or several while one replaces another. body: exactly as received.
    tolerance: most seconds between the time of the attempt and now. A delivery may come more than once, with the
    same header `webhook-id`.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        identity, stated = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].encode().split(b" ")
        if re.fullmatch("[0-9]{1,12}", stated) is None:
            raise ValueError(stated)
        is_timely = abs(time.time() - int(stated)) <= tolerance
        signed = b".".join([identity.encode(), stated.encode(), body])
    except (KeyError, ValueError) as error:  # ValueError: also for bytes that are no text in UTF-8
        raise NotGenuine("a header of the delivery is missing or malformed") from error
    if not is_timely:
        raise NotGenuine("the delivery is too old, or comes from the future")
    for one in [secret] if isinstance(secret, str) else secret:
        key = base64.b64decode(one[len(_PREFIX):] if one.startswith(_PREFIX) else one)
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, made) for made in signatures):
            return cast(WebhookEvent, json.loads(body))
    raise NotGenuine("no signature of the delivery is by this secret")
