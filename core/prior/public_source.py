"""Public counts by a file, a timetable with its usual ping, or an older release; none there (method 12.9).

No record that is to be protected has a part in any of them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

import numpy as np
from h3.api import basic_int

from core.bounding.candidates import CandidateHats
from core.bounding.constants import no_candidate_cells
from core.bounding.counts_file import CountedHat, CountedHats, columns_of_counts, read_counts
from core.bounding.weight_columns import VEHICLES_DP
from core.counted import count_of
from core.errors import InputError
from core.hats.places import HEXAGONS, PlaceIds
from core.hats.window import Window
from core.prior.released_counts import released_counts
from core.prior.timetable import timetable_visits
from core.privacy import Unit
from core.progress import Progress, silent
from core.read.archives import is_zip
from core.read.gtfs_tables import NEEDED
from core.read.unreadable_files import unreadable_as_input_error
from core.signed.bundle_names import MANIFEST, PRIVACY
from core.signed.minisign import parse_public_key
from core.texts import text_of

USUAL_PING_SECONDS = 30
"""How often a vehicle of a timetable is taken to send where nobody says so."""


class SourceKind(StrEnum):
    """What public counts are read from."""

    FILE = "file"
    TIMETABLE = "timetable"
    RELEASE = "release"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRequest:
    """Which source, and what it does not tell itself; all of it public."""

    path: str = ""
    """As it is named; empty: none, numbers are typed."""
    seconds_per_ping: int = USUAL_PING_SECONDS
    """Of a timetable: how often its vehicles are taken to send."""
    public_key: str = ""
    """Of an older release: its publisher's; empty: the signer is not checked."""

    def seen_from(self, folder: Path) -> SourceRequest:
        """With whole paths, where these start from a folder; a key's text stays what it is."""
        key = self.public_key
        if key and parse_public_key(key) is None:
            key = str(folder / key)
        return replace(self, path=str(folder / self.path) if self.path else "", public_key=key)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSource:
    """What a source states, and what to say of it."""

    kind: SourceKind
    hats: CountedHats = field(repr=False)
    fleet: int
    """How many units there are in all; 0 where the source does not tell."""
    description: str
    """One sentence for people: what it is and how much it lists."""


def source_kind(path: Path) -> SourceKind:
    """What lies there. Raises InputError where there is nothing, or a folder of another kind."""
    if path.is_dir():
        if any(os.path.lexists(path / name) for name in (MANIFEST, PRIVACY)):
            return SourceKind.RELEASE
        if any(os.path.lexists(path / name) for name in NEEDED):
            return SourceKind.TIMETABLE
        raise InputError(
            "This folder contains neither a timetable nor a published release.",
            where=str(path),
            mend=text_of(
                "name a folder with {needed}, one with {manifest}, a zip archive or a CSV file",
                needed=", ".join(NEEDED),
                manifest=MANIFEST,
            ),
        )
    if not path.exists():
        raise InputError(
            "There are no public counts here.",
            where=str(path),
            mend="name a CSV file, a timetable as folder or zip archive, or the folder of an older release",
        )
    with unreadable_as_input_error(path):
        return SourceKind.TIMETABLE if is_zip(path) else SourceKind.FILE


def read_public_counts(
    path: Path,
    cells: tuple[int, ...],
    window: Window,
    resolution: int,
    unit: Unit,
    *,
    seconds_per_ping: int = USUAL_PING_SECONDS,
    records: int = 0,
    public_key: str = "",
    places: PlaceIds = HEXAGONS,
    progress: Progress = silent,
) -> PublicSource:
    """The counts of whatever lies there.

    cells, window, resolution, unit, places: of the release that is planned. seconds_per_ping: of a timetable;
    records: of one unit in a HAT, for an older release; public_key: of that release's publisher, as text or
    path. Raises InputError for what cannot be read or used, and what `progress` raises.
    """
    kind = source_kind(path)
    coarser = {basic_int.get_resolution(cell) for cell in cells} - {resolution} if places.hexagons else set()
    if not places.hexagons and kind is not SourceKind.FILE:
        raise InputError(
            "Public counts of places other than hexagons must come from a file.",
            where=str(path),
            mend="name a CSV file with the columns place_id, slot_start, vehicles and records",
        )
    if kind is SourceKind.FILE:
        hats = read_counts(path, (*coarser, resolution), places, window)
        return PublicSource(
            kind=kind,
            hats=hats,
            fleet=0,
            description=text_of(
                "file with {counted_HATs}; the fleet is typed",
                counted_HATs=count_of(len(hats), "hexagon slot"),
            ),
        )
    if coarser:
        raise InputError(
            "A timetable or an older release cannot serve hexagons of several resolutions.",
            where=str(path),
            mend=text_of(
                "name a CSV file with the columns {columns}, or type fleet, vehicles and records",
                columns=", ".join(columns_of_counts(window, places)),
            ),
        )
    if window.groups:
        raise InputError(
            "A timetable or an older release does not distinguish the groups.",
            where=str(path),
            mend=text_of(
                "name a CSV file with the columns {columns}, or type fleet, vehicles and records",
                columns=", ".join(columns_of_counts(window, places)),
            ),
        )
    if kind is SourceKind.RELEASE:
        hats, older = released_counts(path, window, resolution, unit, records=records, public_key=public_key)
        description = (
            "vehicles"
            if older.weight == VEHICLES_DP
            else text_of("records, of which a vehicle has {records}", records=records)
        )
        signer = "its publisher's signature is valid" if public_key else "its signer was not checked"
        return PublicSource(
            kind=kind,
            hats=hats,
            fleet=0,
            description=text_of(
                "older release of {counted_days} with noisy {description}, in {counted_HATs}; {signer}; the "
                "fleet is typed",
                counted_days=count_of(older.days, "day"),
                description=description,
                counted_HATs=count_of(len(hats), "hexagon slot"),
                signer=signer,
            ),
        )
    if not cells:
        raise no_candidate_cells()
    candidates = CandidateHats.every_slot(cells, window)
    visits = timetable_visits(path, candidates, unit, seconds_per_ping, progress)
    public, grid = visits.counts(), window.grid
    hats = tuple(
        CountedHat(
            cell=int(candidates.cell[column]),
            minute=grid.start(int(candidates.slot[column])),
            vehicles=int(public.units[column]),
            records=int(public.records[column]),
        )
        for column in np.flatnonzero(public.units).tolist()
    )
    fleet = (
        count_of(public.fleet, "vehicle")
        if unit is Unit.VEHICLE
        else count_of(public.fleet, "vehicle and day", "vehicles and days")
    )
    return PublicSource(
        kind=kind,
        hats=hats,
        fleet=public.fleet,
        description=text_of(
            "timetable: {fleet} in {counted_HATs}, a ping every {counted_seconds}",
            fleet=fleet,
            counted_HATs=count_of(len(hats), "hexagon slot"),
            counted_seconds=count_of(seconds_per_ping, "second"),
        ),
    )
