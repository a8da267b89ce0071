"""What a refusal proposes where rows hold too few records or are too many: what can be larger at all."""

from __future__ import annotations

from core.hats.places import HEXAGON, JOINED, LABELLED, ZONED
from core.hats.window import Window
from core.texts import joined

_PLACES = {
    HEXAGON: "a coarser resolution",
    JOINED: "a coarser resolution",
    ZONED: "a layer of larger zones",
    LABELLED: "a column with fewer labels",
}


def larger_rows(kind: str, window: Window) -> str:
    """Larger places of the kind, longer slots, fewer groups; more dates where there is nothing else.

    It stands behind `choose`.
    """
    ways = [_PLACES[kind]] if kind in _PLACES else []
    if len(window.periods) > 1:
        ways.append("longer periods")
    elif not window.periods and window.end - window.start > window.slot_minutes:
        ways.append("longer slots")
    if window.groups:
        ways.append("fewer columns to group by")
    return joined(" or ", ways or ["more dates"])
