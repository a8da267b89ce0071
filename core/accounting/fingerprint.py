"""A keyed hash over several parts, however long: what tells two requests apart (method 13)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pieces:
    """A part that is too long for memory as a whole."""

    size: int
    """Bytes of all pieces."""
    pieces: Iterable[bytes]

    def __len__(self) -> int:
        return self.size


def keyed_hash(key: bytes, *parts: bytes | Pieces) -> str:
    """HMAC-SHA256 (hex) of the parts, each after its length: no two lists of parts look alike.

    How a part is cut into pieces does not matter.
    """
    found = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        found.update(len(part).to_bytes(8, "big"))
        for piece in part.pieces if isinstance(part, Pieces) else (part,):
            found.update(piece)
    return found.hexdigest()
