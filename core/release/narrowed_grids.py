"""What a release takes from the protection of earlier ones, where its grid is finer or cut otherwise.

Source: method 5.1 (its counts become public too, so that a record may move less).
"""

from __future__ import annotations

from collections.abc import Sequence

from core.accounting.ledger_report import EntrySummary
from core.counted import count_of
from core.hats.slots import parse_clock
from core.privacy import Relation
from core.spec import ReleaseSpec
from core.texts import joined, text_of


def narrowed(spec: ReleaseSpec, earlier: Sequence[EntrySummary]) -> str:
    """Said before a release of relation `values`; empty where no earlier one loses anything."""
    if spec.relation is not Relation.VALUES:
        return ""
    dates = set(spec.window.dates)
    shared = [entry for entry in earlier if dates & set(entry.dates)]
    where = any(int(entry.constants["resolution"]) < spec.resolution for entry in shared)
    when = any(_cut_otherwise(spec, entry) for entry in shared)
    return joined(
        " ",
        (
            *(
                (
                    text_of(
                        "Earlier releases of these dates have coarser hexagons: where a record lay stays "
                        "protected only inside the hexagons of resolution {resolution}.",
                        resolution=spec.resolution,
                    ),
                )
                if where
                else ()
            ),
            *(
                (
                    text_of(
                        "Earlier releases of these dates have other timeslots: when a record came stays "
                        "protected only inside the slots of {counted_minutes} from {start} on as well.",
                        counted_minutes=count_of(spec.window.slot_minutes, "minute"),
                        start=spec.window.hours[0],
                    ),
                )
                if when
                else ()
            ),
        ),
    )


def _cut_otherwise(spec: ReleaseSpec, entry: EntrySummary) -> bool:
    """Whether a slot of the spec begins or ends inside a slot of the entry."""
    start, end = (parse_clock(text, where="hours") for text in entry.hours)
    first, last = (parse_clock(text, where="hours") for text in spec.window.hours)
    minutes = int(entry.constants["slot_minutes"])
    edges = range(first, last + 1, spec.window.slot_minutes)
    return any(start < edge < end and (edge - start) % minutes for edge in edges)
