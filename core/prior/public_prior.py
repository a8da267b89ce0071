"""What is publicly known of a city, as somebody types or names it, never from its records (method 12.9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.bounding.candidates import CandidateHats
from core.bounding.counts_file import counts_of_hats
from core.bounding.public_counts import PublicCounts
from core.hats.places import HEXAGONS, PlaceIds
from core.hats.window import Window
from core.prior.public_source import PublicSource, SourceRequest, read_public_counts
from core.privacy import Unit
from core.progress import Progress, silent

PRIOR_NUMBERS = ("fleet", "vehicles", "records")
"""What may be typed: fields of `PublicPrior`, parameters of a mechanism that is planned on public counts."""


def typed_counts(hats: int, *, vehicles: int, records: int, fleet: int) -> PublicCounts:
    """hats: how many candidates there are; vehicles: units of each; records: of one of them there.

    fleet: how many units there are in all, 0 where nobody says. Raises InputError for numbers that cannot be.
    """
    return PublicCounts(
        units=np.full(hats, vehicles, np.int64), records=np.full(hats, records, np.int64), fleet=fleet
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPrior:
    """Typed numbers, or a source of counts; 0: not typed."""

    fleet: int = 0
    """Vehicles (unit vehicle-day: vehicles and days) in all."""
    vehicles: int = 0
    """Of each candidate HAT, where no source is named."""
    records: int = 0
    """Of one vehicle in each HAT, where the source does not tell."""
    source: SourceRequest = field(default_factory=SourceRequest)

    @property
    def enough(self) -> bool:
        """Enough to expect an error from: a source, or vehicles of a HAT."""
        return bool(self.source.path) or self.vehicles > 0

    def numbers(self) -> Mapping[str, int]:
        """The typed ones by their names; vehicles of a HAT are the source's, where there is one."""
        vehicles = 0 if self.source.path else self.vehicles
        return dict(zip(PRIOR_NUMBERS, (self.fleet, vehicles, self.records), strict=True))

    def counts(self, candidates: CandidateHats, found: PublicSource | None) -> PublicCounts:
        """Of all candidates, in their order; units 0 where nobody is expected. found: what the source states.

        Raises InputError for a source that lists no candidate, and for impossible numbers.
        """
        if found is None:
            records = self.records or 1
            return typed_counts(len(candidates), vehicles=self.vehicles, records=records, fleet=self.fleet)
        listed, columns = counts_of_hats(found.hats, candidates, self.fleet or found.fleet)
        units, each = np.zeros(len(candidates), np.int64), np.ones(len(candidates), np.int64)
        units[columns], each[columns] = listed.units, listed.records
        return PublicCounts(units=units, records=each, fleet=listed.fleet)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What an answer of a source follows from."""

    source: SourceRequest
    cells: tuple[int, ...]
    window: Window
    resolution: int
    unit: Unit
    places: PlaceIds
    records: int
    changed: int
    """When the file or folder was last changed, as the disk tells it."""


class PriorReader:
    """Reads sources of public counts, and keeps the last answer: a timetable takes seconds."""

    def __init__(self) -> None:
        self._last: tuple[_Question, PublicSource] | None = None

    def read(
        self,
        prior: PublicPrior,
        cells: tuple[int, ...],
        window: Window,
        resolution: int,
        unit: Unit,
        progress: Progress = silent,
        *,
        places: PlaceIds = HEXAGONS,
    ) -> PublicSource | None:
        """What the source states of these candidates; None where numbers are typed. places: what they number.

        Raises InputError for what cannot be read or used, and what `progress` raises.
        """
        source = prior.source
        if not source.path:
            return None
        path = Path(source.path)
        question = _Question(
            source=source,
            cells=cells,
            window=window,
            resolution=resolution,
            unit=unit,
            places=places,
            records=prior.records,
            changed=path.stat().st_mtime_ns if path.exists() else 0,
        )
        if self._last is None or self._last[0] != question:
            found = read_public_counts(
                path,
                cells,
                window,
                resolution,
                unit,
                seconds_per_ping=source.seconds_per_ping,
                records=prior.records,
                public_key=source.public_key,
                places=places,
                progress=progress,
            )
            self._last = (question, found)
        return self._last[1]
