"""A list of places that are no hexagons: their ids, one a line (method 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.clean.record_filter import is_public_text
from core.errors import InputError
from core.hats.places import WHOLE, WHOLE_ID, PlaceChoice
from core.read.unreadable_files import unreadable_as_input_error
from core.selection.base import SelectionRequest
from core.system.regular_files import read_regular
from core.texts import text_of

_HEADER = "place_id"
MOST_PLACES = 5_000


def listed_places(
    path: Path, rule: str, choice: PlaceChoice, known: Sequence[str] | None = None
) -> SelectionRequest:
    """What a spec selects whose file lists such places.

    known: the ids that there are, where the spec alone tells them; None: it does not. Raises InputError for a
    rule that takes no list, and for a place that is not known.
    """
    if rule != "cells":
        raise InputError(
            "This rule chooses hexagons alone.",
            where="selection.rule",
            mend=text_of('write rule = "cells" and a file of ids, one a line, or place = "h3"'),
        )
    ids = (WHOLE_ID,) if choice.place_kind == WHOLE else read_place_ids(path)
    unknown = [] if known is None else sorted({*ids} - {*known})
    if unknown:
        raise InputError(
            "The layer has no zone {zone}.",
            zone=f"{unknown[0]!r}",
            where=str(path),
            mend="list ids of the layer's zones (hats.zones.id), one a line",
        )
    return SelectionRequest(rule=rule, cells=tuple(range(len(ids))), ids=ids)


def read_place_ids(path: Path) -> tuple[str, ...]:
    """The ids, sorted, each once; a header and blank lines are passed over. Raises InputError."""
    with unreadable_as_input_error(path):
        lines = read_regular(path).decode("utf-8-sig", "replace").splitlines()
    ids = set()
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not is_public_text(text):
            raise InputError(
                "This is no id of a place.",
                where=text_of("{path}, line {number}", path=path, number=number),
                mend="write at most 80 characters that can be seen",
            )
        ids.update({text} - {"", _HEADER})
    if not 0 < len(ids) <= MOST_PLACES:
        raise InputError(
            "The file lists {count} places; it needs 1 to {most}.",
            count=f"{len(ids):,}",
            most=f"{MOST_PLACES:,}",
            where=str(path),
            mend="list the ids of places, one a line",
        )
    return tuple(sorted(ids))
