"""What texts of a bundle call its places: a place that is no hexagon is never called one (method 14.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar, cast

from core.texts import FilledText, Name

_HEXAGON = re.compile(r"(?<!\{)\b(H|h)exagon(s?)\b")
"""Not the name of a field."""
_SHORT = re.compile(
    r"\bHATs?\b|\b(?:hexagon|place) and timeslot\b|(?<![`\w-])vehicle(?:-hat)?-days?(?![`\w-])"
)
_UNITS = {
    "vehicle-day": "vehicle and day",
    "vehicle-days": "vehicles and days",
    "vehicle-hat-day": "vehicle, hexagon slot and day",
}
"""What units are called where people read; in privacy.json and tables they are keys."""
_Any = TypeVar("_Any")


def of_places(text: str) -> str:
    """A text of ours about hexagons, said of other places. Never of a text that people wrote.

    One with a template stays one, so that it is said in other languages too.
    """
    said = _HEXAGON.sub(lambda found: f"{'P' if found[1] == 'H' else 'p'}lace{found[2]}", text)
    if not isinstance(text, FilledText):
        return said
    values = {key: one if isinstance(one, Name) else of_places(one) for key, one in text.values.items()}
    return FilledText(said, of_places(text.template), values, of_places(text.many))


def said_of(said: _Any, *, hexagons: bool) -> _Any:
    """Texts of ours, and lists and tables of them, as they are said of the release's places."""
    return said if hexagons else cast(_Any, _said(said))


def said_to_people(said: _Any, *, hexagons: bool) -> _Any:
    """`said_of` on pages for people: what privacy.json calls a HAT is a hexagon slot, and units are words."""
    return said_of(cast(_Any, _said(said, partial(in_full, hexagons=hexagons))), hexagons=hexagons)


def in_full(text: str, *, hexagons: bool) -> str:
    """A text that calls a place in a timeslot a slot of it, and units by words; nothing else changes."""

    def said(found: re.Match[str]) -> str:
        words = _UNITS.get(found[0], "hexagon slots" if found[0].endswith("s") else "hexagon slot")
        return words if hexagons else of_places(words)

    return _SHORT.sub(said, text)


def _said(said: object, of_text: Callable[[str], str] = of_places) -> object:
    if isinstance(said, str):
        return of_text(said)
    if isinstance(said, Mapping):
        return {key: _said(one, of_text) for key, one in said.items()}
    if isinstance(said, Sequence):
        return type(said)(_said(one, of_text) for one in said)  # type: ignore[call-arg]
    return said
