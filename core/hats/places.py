"""Places by kind: hexagon, zone, label or the whole area, and the refusal of a kind not offered.

Everything that counts knows a place by a number alone, in the columns called `cell`: of hexagons that of H3,
of all others its place in the list of ids. Source: method 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from h3.api import basic_int

from core.errors import InputError
from core.hats.cells import cell_text
from core.hats.slots import ID_PARTS, SlotGrid
from core.records.labels import LABEL_OF_ZONE
from core.texts import text_of

HEXAGON, ZONED, LABELLED, WHOLE = "h3", "zones", "column", "none"
PLACE_KINDS = (HEXAGON, ZONED, LABELLED, WHOLE)
JOINED = "h3-joined"
"""No kind that a spec names: places of a table before its records are given one of their hexagons."""
WHOLE_ID, WHOLE_NAME = "all", "whole area"


def require_place_kind(kind: str) -> str:
    """The kind, if it is offered. Raises InputError otherwise."""
    if kind not in PLACE_KINDS:
        raise InputError(
            "Places of the kind {kind} are not offered.",
            kind=f"{kind!r}",
            where="hats.place",
            mend=text_of("write one of {kinds}", kinds=", ".join(f'"{one}"' for one in PLACE_KINDS)),
        )
    return kind


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChoice:
    """What a spec asks for."""

    place_kind: str = HEXAGON
    place_column: str = ""
    """Public name of the column whose labels are the places; of that kind alone."""
    zones_sha256: str = ""
    """Of zones: the digest of what decides which one a position is in."""
    mixed: tuple[int, ...] = ()
    """The resolutions of a release with hexagons of several sizes, coarsest first; empty: all are alike."""

    @property
    def hexagons(self) -> bool:
        return self.place_kind == HEXAGON

    def resolutions(self, resolution: int) -> tuple[int, ...]:
        """Those of its hexagons, coarsest first; resolution: the finest, or the only one."""
        return self.mixed or (resolution,)

    @property
    def label(self) -> str:
        """Which label of a record is its place."""
        return LABEL_OF_ZONE if self.place_kind == ZONED else self.place_column

    @property
    def as_noted(self) -> str:
        """As ledgers note it, for places that are no hexagons."""
        return " ".join(filter(None, (self.place_kind, self.place_column, self.zones_sha256)))

    @property
    def named_column(self) -> str | None:
        """None where places are no labels: then no request is known by it."""
        return self.place_column or None

    def listed(self, ids: tuple[str, ...] = ()) -> PlaceIds:
        """The places that are known before any record; ids: of a file that lists them, in this order."""
        if self.place_kind == WHOLE:
            return PlaceIds(kind=WHOLE, ids=(WHOLE_ID,))
        return PlaceIds(kind=self.place_kind, ids=ids)

    def joined(self, ids: tuple[str, ...] = ()) -> PlaceIds:
        """The places of a table that has not chosen yet: each text names the hexagon of each resolution."""
        return PlaceIds(kind=JOINED, ids=ids)


@dataclass(frozen=True, kw_only=True)
class PlaceIds:
    """The places of a table or a release."""

    kind: str = HEXAGON
    ids: tuple[str, ...] = ()
    """Number of a place -> its id; empty for hexagons, whose numbers say it."""
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict, compare=False)
    """Id -> latitude and longitude of a zone's middle, by the layer that they are from."""

    @property
    def hexagons(self) -> bool:
        return self.kind == HEXAGON

    def id_text(self, place: int) -> str:
        """How files call a place."""
        return cell_text(place) if self.hexagons else self.ids[place]

    def middles(self, places: Sequence[int]) -> list[tuple[float, float]] | None:
        """Latitude and longitude of the middle of each; None where places have none."""
        if self.hexagons:
            return [basic_int.cell_to_latlng(place) for place in places]
        found = [self.positions.get(self.ids[place]) for place in places]
        return None if None in found else [one for one in found if one]

    def hat_id(self, grid: SlotGrid, slot: int, place: int) -> str:
        """The id text of a HAT: of hexagons as TR has it."""
        text = self.id_text(place)
        return (
            grid.hat_id(slot, text)
            if self.hexagons
            else ID_PARTS.join((grid.label(slot), text, *grid.labels(slot)))
        )

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The inverse of `ids`."""
        return {text: number for number, text in enumerate(self.ids)}

    def with_more(self, ids: tuple[str, ...]) -> PlaceIds:
        """These and what others there are; numbers stay as they were."""
        more = (*self.ids, *(text for text in ids if text not in self.numbers))
        return PlaceIds(kind=self.kind, ids=more, positions=self.positions)

    def lying_at(self, positions: Mapping[str, tuple[float, float]]) -> PlaceIds:
        """The same places with where they lie."""
        return PlaceIds(kind=self.kind, ids=self.ids, positions=positions)


HEXAGONS = PlaceIds()
HEXAGON_CHOICE = PlaceChoice()


def place_name(kind: str, place_id: str) -> str:
    """What people call a place of that kind."""
    return WHOLE_NAME if kind == WHOLE else place_id
