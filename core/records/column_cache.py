"""Columns that follow from records, stored beside them: computed once, read again (architecture 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]


class ColumnCache(Protocol):
    """Keeps groups of columns by name, as long as the records are in use."""

    def get(self, name: str) -> Columns | None:
        """The group of that name; None where it was never put."""
        ...

    def put(self, name: str, columns: Columns) -> Columns:
        """Keep a group and give it back as it is stored. A later group of that name replaces it."""
        ...


class MemoryColumnCache:
    """A column_cache in memory."""

    def __init__(self) -> None:
        self._groups: dict[str, Columns] = {}

    def get(self, name: str) -> Columns | None:
        return self._groups.get(name)

    def put(self, name: str, columns: Columns) -> Columns:
        self._groups[name] = columns
        return columns
