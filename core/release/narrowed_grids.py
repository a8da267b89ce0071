"""What a finer or other grid takes from the protection of earlier releases of these dates.

Source: method 5.1 (its counts become public too, so that a record may move less).
"""

from __future__ import annotations

from collections.abc import Sequence

from core.accounting.ledger_report import EntrySummary
from core.hats.slots import clock, day_periods_text, length_text, parse_clock
from core.hats.window import Window
from core.privacy import Relation
from core.spec import ReleaseSpec
from core.texts import joined, text_of

_PERIODS = "periods"


def narrowed(spec: ReleaseSpec, earlier: Sequence[EntrySummary]) -> str:
    """Said before a release of relation `values`; empty where no earlier one loses anything."""
    if spec.relation is not Relation.VALUES:
        return ""
    dates = set(spec.window.dates)
    shared = [entry for entry in earlier if dates & set(entry.dates)]
    where = any(int(entry.constants.get("resolution", spec.resolution)) < spec.resolution for entry in shared)
    each = set(spec.place.mixed)
    other_sizes = bool(each) and any(each - _resolutions_of(entry) for entry in shared)
    grid = {"place": spec.place.as_noted}
    grid = {"resolution": ""} if spec.place.hexagons else grid
    otherwise = any(
        ("resolution" in entry.constants) != ("resolution" in grid)
        or entry.constants.get("place") != grid.get("place")
        for entry in shared
    )
    when = any(_cut_otherwise(spec, entry) for entry in shared)
    return joined(
        " ",
        (
            *(
                (
                    text_of(
                        "Earlier releases of these dates have coarser hexagons: a record's position stays "
                        "protected only inside the hexagons of resolution {resolution}.",
                        resolution=spec.resolution,
                    ),
                )
                if where and not each
                else ()
            ),
            *(
                (
                    text_of(
                        "Earlier releases of these dates have other hexagons: a record's position stays "
                        "protected only inside its hexagons of each of the resolutions {resolutions}.",
                        resolutions=joined(" and ", map(str, spec.place.mixed)),
                    ),
                )
                if other_sizes
                else ()
            ),
            *(
                (
                    "Earlier releases of these dates have other places: the charges add up, and a record's "
                    "position stays protected only as far as no number of either kind of place changes.",
                )
                if otherwise
                else ()
            ),
            *(
                (
                    text_of(
                        "Earlier releases of these dates have other timeslots: a record's time stays "
                        "protected only inside the slots of {counted_minutes} from {start} on as well.",
                        counted_minutes=length_text(spec.window.slot_minutes),
                        start=spec.window.hours[0],
                    )
                    if not spec.window.periods
                    else text_of(
                        "Earlier releases of these dates have other timeslots: a record's time stays "
                        "protected only inside these periods as well: {periods}.",
                        periods=day_periods_text(spec.window.periods),
                    ),
                )
                if when
                else ()
            ),
        ),
    )


def _resolutions_of(entry: EntrySummary) -> set[int]:
    """Those of the hexagons of an earlier release; none where it had other places."""
    listed = (entry.constants.get(name, "") for name in ("resolution", "coarser_resolutions"))
    return {int(text) for one in listed for text in one.split(",") if text}


def _cut_otherwise(spec: ReleaseSpec, entry: EntrySummary) -> bool:
    """Whether a slot of the spec begins or ends inside a slot of the entry."""
    grid = spec.window.grid
    edges = {edge for slot in spec.window.slots for edge in (grid.start(slot), grid.end(slot))}
    return any(start < edge < end for start, end in _slots_of(entry) for edge in edges)


def _slots_of(entry: EntrySummary) -> list[tuple[int, int]]:
    """Start and end of each slot of an earlier release."""
    if _PERIODS in entry.constants:
        parts = (text.partition("-") for text in entry.constants[_PERIODS].split(","))
        return [(parse_clock(one, where="hours"), parse_clock(two, where="hours")) for one, _, two in parts]
    start, end = (parse_clock(text, where="hours") for text in entry.hours)
    minutes = int(entry.constants["slot_minutes"])
    return [(first, first + minutes) for first in range(start, end, minutes)]


def stated_periods(window: Window) -> dict[str, str]:
    """The hours of its periods as the ledger notes them; empty without periods."""
    hours = ",".join(f"{clock(one.start)}-{clock(one.end)}" for one in window.periods)
    return {_PERIODS: hours} if hours else {}
