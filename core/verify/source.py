"""What files of a bundle are read from, a folder or a zip: at most 10,000 files are looked at."""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from zipfile import BadZipFile

MOST_ENTRIES = 10_000
"""Files and folders of a bundle; what lies beyond is not looked at."""
READ_ERRORS = (OSError, EOFError, BadZipFile, zlib.error)
"""What reading a file of a source may raise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What lies there: names are relative, with `/`."""

    files: Mapping[str, int]
    """With their sizes, in bytes."""
    folders: frozenset[str]
    strange: tuple[str, ...] = field(default=())
    """What is neither, cannot be read, or lies beyond the most entries."""


class BundleSource(Protocol):
    """Nothing that lies there is believed; links are never followed."""

    @property
    def path(self) -> Path:
        """What a person named; notices lie beside it."""

    @property
    def name(self) -> str:
        """Of the folder."""

    def listing(self) -> Listing:
        """Look at everything; never raises for what lies there."""

    def open(self, name: str) -> AbstractContextManager[io.BufferedIOBase]:
        """A file of the listing. Opening and reading it raise one of `READ_ERRORS`."""
