"""What texts of a bundle call its places: a place that is no hexagon is never called one (method 14.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

_HEXAGON = re.compile(r"(?<!\{)\b(H|h)exagon(s?)\b")
"""Not the name of a field."""
_Any = TypeVar("_Any")


def of_places(text: str) -> str:
    """A text of ours about hexagons, said of other places. Never of a text that people wrote."""
    return _HEXAGON.sub(lambda found: f"{'P' if found[1] == 'H' else 'p'}lace{found[2]}", text)


def said_of(said: _Any, *, hexagons: bool) -> _Any:
    """Texts of ours, and lists and tables of them, as they are said of the release's places."""
    return said if hexagons else cast(_Any, _said(said))


def _said(said: object) -> object:
    if isinstance(said, str):
        return of_places(said)
    if isinstance(said, Mapping):
        return {key: _said(one) for key, one in said.items()}
    if isinstance(said, Sequence):
        return type(said)(map(_said, said))  # type: ignore[call-arg]
    return said
