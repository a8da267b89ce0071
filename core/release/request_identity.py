"""What makes two release requests identical (method 13.4): the spec without its texts, and the table."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.accounting.fingerprint import Pieces
from core.contributions import Contributions
from core.contributions.values import Values
from core.parallel import cut
from core.spec import ReleaseSpec, identity

_BLOCK = 1 << 20
"""Numbers turned into bytes at a time."""
_Column = Values | NDArray[np.integer[Any]]


def canonical(spec: ReleaseSpec) -> bytes:
    """The spec as canonical JSON: no texts, no paths, no key, parameters with their defaults."""
    return json.dumps(identity(spec), sort_keys=True, separators=(",", ":")).encode()


def table_bytes(contributions: Contributions) -> tuple[bytes | Pieces, ...]:
    """The contribution table as bytes, to be hashed with a key and never otherwise."""
    names = "\n".join(contributions.vehicles).encode()
    columns: tuple[tuple[_Column, str], ...] = (
        (contributions.cell, "<u8"),
        (contributions.slot, "<i8"),
        (contributions.hat, "<i8"),
        (contributions.vehicle, "<i8"),
        (contributions.day, "<i8"),
        (contributions.start, "<i8"),
        (contributions.values, "<i8"),
    )
    return (names, *(_pieces(column, kind) for column, kind in columns))


def _pieces(column: _Column, kind: str) -> Pieces:
    """A column as bytes of that kind of number, block by block."""
    blocks = cut(0, len(column), _BLOCK)
    return Pieces(
        len(column) * np.dtype(kind).itemsize, (column[block].astype(kind).tobytes() for block in blocks)
    )
