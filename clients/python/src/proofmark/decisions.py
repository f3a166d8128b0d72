"""Checks that a decision belongs to an anchored run, without asking anybody."""

import hashlib
import json
from typing import Any, Mapping

from .errors import NotGenuine


def verify_decision(shown: Mapping[str, Any]) -> str:
    """SHA-256 (hexadecimal) of the run's statement, which a proof must show to be anchored.

    shown: `data` of the answer of `get_agent_decision_proof`. Raises NotGenuine.
    """
    try:
        leaf: str = shown["canonicalDecision"]
        statement = json.loads(shown["statement"])
        if json.loads(leaf) != shown["decision"]:
            raise NotGenuine("the decision is not the one in the leaf")
        node = _sha256(b"\0" + leaf.encode())
        index, last = shown["decisionIndex"], shown["treeSize"] - 1
        if not 0 <= index <= last or statement["decisionsStored"] != shown["treeSize"]:
            raise NotGenuine("the tree of the run has another size")
        # RFC 9162, 2.1.3.2.
        for sibling in map(bytes.fromhex, shown["hashes"]):
            if last == 0:
                raise NotGenuine("the inclusion proof is too long")
            if index % 2 or index == last:
                node = _sha256(b"\1" + sibling + node)
                while index % 2 == 0 and index != 0:
                    index, last = index // 2, last // 2
            else:
                node = _sha256(b"\1" + node + sibling)
            index, last = index // 2, last // 2
    except (KeyError, TypeError, ValueError) as error:
        raise NotGenuine("the answer cannot be read: %r" % error) from error
    if last != 0 or node.hex() != statement["decisionsRootHash"]:
        raise NotGenuine("the decision is not in the tree of the run")
    return hashlib.sha256(shown["statement"].encode()).hexdigest()


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
