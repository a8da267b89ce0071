"""Tables that a person writes: their columns count by name, in whatever order they stand."""

from __future__ import annotations

from collections.abc import Sequence


def order_of_columns(columns: Sequence[str], header: Sequence[str]) -> tuple[int, ...] | None:
    """Where each column stands in a header of just these, each once; None: it is another header."""
    if len(header) != len(columns) or {*header} != {*columns}:
        return None
    return tuple(header.index(name) for name in columns)
