"""Rows of whole trips: they tell where each began and ended, and not where a vehicle was meanwhile."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.texts import Name, joined, text_of

_BEGIN = frozenset(("start", "begin", "from", "origin", "pickup", "departure", "inicio", "debut"))
_END = frozenset(("end", "to", "dest", "destination", "dropoff", "arrival", "fin", "fim", "ende"))
_PLACE = frozenset(
    ("lat", "latitude", "latitud", "lon", "lng", "long", "longitude", "longitud", "location", "position")
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def trip_ends(columns: Sequence[str]) -> str:
    """What is said of columns that hold two places a row; empty where there are no such ones."""
    words = {column: {word.lower() for word in _WORD.findall(column)} for column in columns}
    begins, ends = (
        [column for column, found in words.items() if found & side and found & _PLACE]
        for side in (_BEGIN, _END)
    )
    if not (begins and ends):
        return ""
    return text_of(
        "each row is a trip, with a place where it begins ({begins}) and one where it ends ({ends})",
        begins=joined(", ", map(Name, begins)),
        ends=joined(", ", map(Name, ends)),
    )
