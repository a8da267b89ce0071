"""No core dumps: a picture of memory would hold an unlocked key, a passphrase and records."""

from __future__ import annotations

import contextlib

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

_NO_DUMP = 1
"""Bytes of a core dump: too few for a file, and the one limit at which Linux starts no program for it."""


def switch_off_core_dumps() -> None:
    """From now on nothing of this process, nor of those it starts, is written when it crashes.

    Source: core(5). On Windows this does nothing.
    """
    if resource is None:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    limit = _NO_DUMP if most == resource.RLIM_INFINITY else min(_NO_DUMP, most)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
