"""What an engine is asked for, and what it gives back: a contribution table in a file."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from core.clean.ingest_report import IngestReport
from core.clean.mapping import ReadingRules
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.window import Window
from core.privacy import Confidential
from core.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class TableJob:
    """A table to be made of records; the same for every engine."""

    data: tuple[str, ...]
    """Files, patterns and folders, as a person names them."""
    rules: ReadingRules
    resolution: int
    """Of hexagons."""
    window: Window
    out: Path
    choice: PlaceChoice = HEXAGON_CHOICE
    """What places are."""
    partitions: tuple[str, ...] = ()
    """Of `PARTITION_KEYS`; then `out` is a folder. Only the local engine writes such tables."""
    passphrase: str | None = field(default=None, repr=False)
    """Encrypt the table under it."""
    now_ms: int = field(default_factory=lambda: int(clock.time() * 1000))
    """What lies later is in the future: one moment for all workers."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Made(Confidential):
    """The table that was written."""

    rows: int
    hats: int
    values: int
    derived: bool
    report: IngestReport


class Engine(Protocol):
    """Makes contribution tables; all engines write the same bytes."""

    def contributions(self, job: TableJob, progress: Progress) -> Made:
        """Write the table, whole or not at all.

        Raises InputError for files that cannot be used, for an engine that is not set up or has failed, and
        where nothing is left; and what `progress` raises.
        """
        ...
