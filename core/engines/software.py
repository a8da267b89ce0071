"""What decides results besides the records: a worker with other packages or zone data than this machine."""

from __future__ import annotations

import hashlib
from functools import cache

import h3
import numpy as np
import pyarrow as pa

from core import __version__
from core.errors import InputError
from core.records.zones import offsets_of

_FIRST_MS, _LAST_MS = 0, 4_102_444_799_999
"""1970 to 2100."""


@cache
def software(zone: str) -> frozenset[str]:
    """The versions of this machine, and its idea of the zone."""
    offsets = offsets_of(zone, _FIRST_MS, _LAST_MS)
    clock = hashlib.sha256(np.stack((offsets.starts, offsets.offset_ms)).tobytes()).hexdigest()[:12]
    libraries = {"hexveil": __version__, "h3": h3.__version__, "pyarrow": pa.__version__, zone: clock}
    return frozenset(f"{name} {version}" for name, version in libraries.items())


def require_same_software(found: frozenset[str], zone: str) -> None:
    """Raise InputError where a worker computes with something else: its part of the table would differ."""
    own = software(zone)
    if found <= own:
        return
    other = ", ".join(sorted(found - own))
    raise InputError(
        f"A worker computes with another version than this machine: {other}.",
        where=", ".join(sorted(own)),
        mend="give the workers the same packages, the zone data `tzdata` too: those of requirements.lock",
    )
