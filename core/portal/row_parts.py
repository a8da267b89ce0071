"""Parts of a table to compare: middle and edge by km, hours, groups, places, unknown ones (method 14.9)."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import h3
import numpy as np

from core.arrays import Floats, Ints
from core.bundle.public_tables import LINES, PublicTable
from core.bundle.row_outlines import middle_of
from core.counted import count_of
from core.errors import InputError
from core.hats.groups import WEEKDAY, WEEKEND
from core.portal.published_rows import PublishedRows
from core.statistics.false_discoveries import Flags
from core.texts import FilledText, Name, text_of

MIDDLE_PART, EDGE_PART = "middle", "edge"
_PERIODS = {
    "morning-peak": ("Morning peak", "07:00", "10:00"),
    "midday": ("Midday", "10:00", "16:00"),
    "evening-peak": ("Evening peak", "16:00", "19:00"),
    "late": ("Late evening", "19:00", "21:00"),
}
FIXED_PAIRS = (
    (MIDDLE_PART, EDGE_PART),
    ("evening-peak", "midday"),
    ("late", "evening-peak"),
    ("morning-peak", "midday"),
    (WEEKDAY, WEEKEND),
)
"""What a page compares, each where its table has both: fixed before there is a number."""
_SINCE = ("before", "after")
_KM = 111.32
"""Kilometres of a degree of the equator, to part middle and edge."""
_TURN = 360.0
_FEWEST_PLACES = 3
_MANY_KM = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPart:
    """Some rows of a table."""

    key: str
    title: str
    """As a heading has it: `Evening peak`; labels and places as the rows have them."""
    where: str
    """As a sentence has it: `from 16:00 to 19:00`."""
    detail: str
    """What exactly it is; `Middle: the 19 hexagons within 6 km of ...`, or `16:00 to 19:00`."""
    chosen: Flags
    """Shape (rows,)."""
    of_places: bool = False
    """It is of some places; else of some rows of each."""

    @property
    def title_behind(self) -> str:
        """The title behind another one: ours begins small there, `edge`; a label stays as it is."""
        if self.title == self.key:
            return self.title
        return FilledText(self.title[0].lower() + self.title[1:], self.title, {})


def fixed_pairs(rows: PublishedRows) -> Iterator[tuple[RowPart, RowPart]]:
    """Those of `FIXED_PAIRS` that the rows have, in order."""
    for first, second in FIXED_PAIRS:
        parts = [part for part in (_known(rows, first), _known(rows, second)) if part is not None]
        if len(parts) == 2 and all(part.chosen.any() for part in parts):
            yield parts[0], parts[1]


def part_named(rows: PublishedRows, name: str) -> RowPart:
    """The part that is called so: of `FIXED_PAIRS`, hours as `07:00-09:00`, a label of a group, or a place.

    Raises InputError for what the rows do not have, and says what is missing.
    """
    found = _known(rows, name) or _hours(rows, name, name, *name.partition("-")[::2])
    found = found or _place(rows, name)
    if found is not None and found.chosen.any():
        return found
    table = rows.public.table
    labels = sorted({row[group] for group in table.groups for row in rows.rows})
    if name in _SINCE or _is_date(name):
        raise InputError(
            "Rows of this bundle are of all its dates together: none is before or after one of them.",
            where="--differences",
            mend=text_of(
                "release kinds of day that a file of dates lists ([hats] group), or two releases, which "
                "--changes compares"
            ),
        )
    if name in _PERIODS:
        _, start, end = _PERIODS[name]
        raise InputError(
            "Slots of {path} do not cover {start} to {end} whole.",
            path=table.path,
            start=start,
            end=end,
            where="--differences",
            mend=text_of("name hours that slots begin and end at, for instance 07:00-09:00"),
        )
    raise InputError(
        "No row of {path} is of {name}.",
        path=table.path,
        name=repr(name),
        where="--differences",
        mend=text_of(
            "name one of {known}, hours that slots begin and end at (07:00-09:00), or a place as its column "
            "{column} has it",
            known=", ".join(dict.fromkeys((*(one for pair in FIXED_PAIRS[:-1] for one in pair), *labels))),
            column=table.place[0],
        ),
    )


def _is_date(name: str) -> bool:
    try:
        dt.date.fromisoformat(name)
    except ValueError:
        return False
    return True


def _known(rows: PublishedRows, name: str) -> RowPart | None:
    if name in (MIDDLE_PART, EDGE_PART):
        return _third(rows, name)
    if name in _PERIODS:
        return _hours(rows, name, *_PERIODS[name])
    for group in rows.public.table.groups:
        chosen = np.array([row[group] == name for row in rows.rows], bool)
        if chosen.any():
            fixed = any(name in pair for pair in FIXED_PAIRS)
            title = name.capitalize() if fixed else name
            return RowPart(key=name, title=title, where=f"({name})", detail=title, chosen=chosen)
    return None


def _hours(rows: PublishedRows, key: str, title: str, start: str, end: str) -> RowPart | None:
    """None where slots do not cover these hours whole."""
    inside = sorted(
        {
            (row["slot_start"], row["slot_end"])
            for row in rows.rows
            if start <= row["slot_start"] and row["slot_end"] <= end
        }
    )
    reached = start
    for first, last in inside:
        reached = last if first <= reached else reached
    if not inside or inside[0][0] != start or reached != end:
        return None
    chosen = np.array([(row["slot_start"], row["slot_end"]) in inside for row in rows.rows], bool)
    said = text_of("{start} to {end}", start=_clock(start), end=_clock(end))
    title = said if title == key else title
    where = text_of("from {hours}", hours=said)
    return RowPart(key=key, title=title, where=where, detail=said, chosen=chosen)


def _clock(text: str) -> str:
    return text.removeprefix("0")


def _place(rows: PublishedRows, name: str) -> RowPart | None:
    table = rows.public.table
    columns = [one for one in (table.place[0], "place_name", "place") if one in table.header]
    for column in columns:
        chosen = np.array([row[column] == name for row in rows.rows], bool)
        if chosen.any():
            where = text_of("in {place}", place=Name(name))
            return RowPart(key=name, title=name, where=where, detail=name, chosen=chosen, of_places=True)
    return None


def _third(rows: PublishedRows, name: str) -> RowPart | None:
    """None where places do not lie anywhere, or are too few."""
    public = rows.public
    if public.shape == LINES:
        return None
    places = sorted(set(rows.places))
    if len(places) < _FEWEST_PLACES or any(
        public.table.by_place and place not in public.outlines for place in places
    ):
        return None
    middles = np.array([_middle(public, place) for place in places])
    number = {place: at for at, place in enumerate(places)}
    of = np.array([number[place] for place in rows.places])
    weights = np.bincount(of, rows.weights, len(places)).astype(np.float64)
    near, far, away = thirds(middles, weights)
    some = near if name == MIDDLE_PART else far
    by_place = public.table.by_place
    counted = count_of(some.size, "place") if by_place else count_of(some.size, "hexagon")
    inner, outer = _km(float(away[near].max()), math.ceil), _km(float(away[far].min()), math.floor)
    detail = (
        public.table.subject.carried(
            text_of(
                "Middle: {counted_places} within {inner} km of the average position of vehicles",
                counted_places=counted,
                inner=inner,
            )
        )
        if name == MIDDLE_PART
        else text_of("Edge: {counted_places} farther than {outer} km", counted_places=counted, outer=outer)
    )
    where = "in the middle of the network" if name == MIDDLE_PART else "at its edge"
    return RowPart(
        key=name,
        title="Middle" if name == MIDDLE_PART else "Edge",
        where=where,
        detail=detail,
        chosen=np.isin(of, some),
        of_places=True,
    )


def thirds(middles: Floats, weights: Floats) -> tuple[Ints, Ints, Floats]:
    """The third of the places nearest to their weighted centre, the farthest third, and km from it, (P,).

    middles: latitude and longitude in degrees, shape (P, 2).
    """
    degrees = middles - middles[0]
    degrees[:, 1] -= _TURN * np.round(degrees[:, 1] / _TURN)
    flat = degrees * _KM * np.array([1.0, math.cos(math.radians(middles[0, 0]))])
    away = np.hypot(*(flat - weights @ flat / weights.sum()).T)
    order, third = np.argsort(away, kind="stable"), len(middles) // 3
    return order[:third], order[len(middles) - third :], away


def _km(distance: float, towards: Callable[[float], int]) -> str:
    """Whole kilometres, or tenths of few."""
    step = 1 if distance >= _MANY_KM else 10
    return f"{towards(distance * step) / step:g}"


def _middle(public: PublicTable, place: str) -> Sequence[float]:
    return middle_of(public.outlines[place]) if public.table.by_place else h3.cell_to_latlng(place)
