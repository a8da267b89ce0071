"""The release spec, read and checked: what a release needs but the key and the target folder (method 16)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from core.clean.mapping import ColumnMapping, ReadingRules
from core.contributions.file_facts import PhysicalLimits
from core.geodata.places_source import PlacesSource
from core.geodata.zones_source import PublicZones, ZonesSource
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.window import Window
from core.planning.query_plan import Query
from core.privacy import Relation, Unit
from core.quantity import Quantity
from core.read.file_listing import expand
from core.release_texts import ReleaseTexts
from core.selection.base import SelectionRequest
from core.subject import VEHICLE, Subject, subject_called

TABLE_MAPPING = ColumnMapping(vehicle="vehicle", time="date", position="cell", value="values")
"""Stands where a contribution table is named without the mapping of the records it was made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSpec:
    """Which files, and how to read them; or a contribution table in their place."""

    files: tuple[str, ...]
    """Paths and globs, relative to `folder`; none where there is a table."""
    folder: Path
    rules: ReadingRules
    contributions: str = ""
    """Path of a contribution table, relative to `folder`; empty where there are files."""
    derived_in_table: bool | None = None
    """Whether its speeds were derived from positions; None: it says so itself."""
    physical_in_table: PhysicalLimits | None = None
    """What was dropped as impossible before it was made; None: it says so itself, or nobody does."""

    @property
    def table_path(self) -> Path:
        """Where the contribution table lies."""
        return self.folder / self.contributions

    def paths(self) -> tuple[Path, ...]:
        """The files named. Raises InputError for a pattern that matches nothing."""
        return expand(self.files, self.folder)


def quantity_of(rules: ReadingRules, subject: str, plural: str) -> Quantity:
    """What is published of the value, and whose it is. Raises InputError for what nobody can be called."""
    return dataclasses.replace(rules.quantity, subject=subject_called(subject, plural))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSpec:
    """Everything a release needs but the key and the target folder."""

    texts: ReleaseTexts
    data: DataSpec
    resolution: int = 0
    """Of hexagons, the finest where there are several; 0 for other places."""
    place: PlaceChoice = HEXAGON_CHOICE
    zones: PublicZones | None = None
    """The places, where they are zones."""
    window: Window
    selection: SelectionRequest
    cells_file: str
    """Of the rule's hexagons, as the spec names it; empty where the rule takes a threshold."""
    minimum_vehicles: int = 0
    """0 in relation `user`, where no exact count decides anything."""
    population: str
    relation: Relation
    unit: Unit
    confirmed: bool
    hats_per_vehicle: int | None = None
    """C of relation `user`; None in relation `values`."""
    days_per_vehicle: int | None = None
    """Of relation `user` and unit `vehicle`, where days count apart; None: not said."""
    queries: tuple[Query, ...]
    """At least one; each statistic once, since it has one data file."""
    shapes: str = ""
    """Timetable with the lines of routes, as the spec names it; empty: none."""
    day_kinds: str = ""
    """File of the kind of each date, as the spec names it; empty: none."""
    places: PlacesSource | None = None
    """The public layer that names hexagons; None: nothing does."""
    subject: str = VEHICLE.name
    subject_plural: str = VEHICLE.plural

    @property
    def resolutions(self) -> int | tuple[int, ...]:
        """As the spec has them: one, or several."""
        return self.place.mixed or self.resolution

    @property
    def quantity(self) -> Quantity:
        """What is published of the value, and whose it is."""
        return quantity_of(self.data.rules, self.subject, self.subject_plural)

    @property
    def zones_source(self) -> ZonesSource | None:
        """The layer of the zones."""
        return self.zones.source if self.zones else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecParts:
    """What a command that is no release needs of a spec; None where the file has no such table.

    Tables that were not asked for are not looked at, whatever stands in them.
    """

    resolution: int | None = None
    """The finest; 0 where places are no hexagons."""
    place: PlaceChoice = HEXAGON_CHOICE
    window: Window | None = None
    selection: SelectionRequest | None = None
    minimum_vehicles: int | None = None
    """0 in relation `user`."""
    relation: Relation | None = None
    unit: Unit | None = None
    population: str = ""
    subject: Subject = VEHICLE
    queries: tuple[Query, ...] = ()
