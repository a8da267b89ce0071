"""Places by what a person types: the beginning of any word of a name, in whatever case, accents or not."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from core.geodata.features import Features
from core.geodata.shapes import middles, to_lon_lat
from core.progress import Progress, silent

_LOOKED_AT = 2000
"""Names that begin so, of which the best are chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlace:
    """One place of a layer."""

    name: str
    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceIndex:
    """The names of layers, each once."""

    places: tuple[FoundPlace, ...]
    _words: tuple[tuple[str, int], ...]
    """What follows from each beginning of a word on, and whose it is; sorted."""

    def completions(self, typed: str, most: int = 12) -> tuple[FoundPlace, ...]:
        """Places with a word that begins as what was typed; names that begin so come first."""
        wanted = plain_letters(typed)
        if not wanted:
            return ()
        start = bisect_left(self._words, (wanted, -1))
        found: dict[int, None] = {}
        for text, number in islice(self._words, start, start + _LOOKED_AT):
            if not text.startswith(wanted):
                break
            found[number] = None
        ranked = sorted(found, key=lambda number: self._rank(number, wanted))
        return tuple(self.places[number] for number in ranked[:most])

    def _rank(self, number: int, wanted: str) -> tuple[bool, bool, str, str]:
        name = self.places[number].name
        plain = plain_letters(name)
        return plain != wanted, not plain.startswith(wanted), plain, name


def place_index(layers: Sequence[Features], progress: Progress = silent) -> PlaceIndex:
    """The index of all names; of features that share one, the place of the largest. Raises as `progress`."""
    places: dict[str, FoundPlace] = {}
    for features in layers:
        parts = features.parts
        largest: dict[str, int] = {}
        for part in np.argsort(-parts.size, kind="stable"):
            name = features.names[parts.owner[part]]
            if name and name not in places:
                largest.setdefault(name, int(part))
        progress(0.3, "Listing the names of places")
        numbers = np.array(list(largest.values()), np.int64)
        if not numbers.size:
            continue
        degrees = to_lon_lat(middles(parts.shapes[numbers], parts.kind[numbers]))
        places |= {
            name: FoundPlace(name=name, longitude=float(longitude), latitude=float(latitude))
            for name, (longitude, latitude) in zip(largest, degrees, strict=True)
        }
    progress(0.7, "Listing the names of places")
    words = sorted(
        (tail, number) for number, name in enumerate(places) for tail in _tails(plain_letters(name))
    )
    return PlaceIndex(places=tuple(places.values()), _words=tuple(words))


def _tails(plain: str) -> list[str]:
    words = plain.split(" ")
    return [" ".join(words[start:]) for start in range(len(words))]


def plain_letters(text: str) -> str:
    """Lower case, without accents, one blank between words: what is compared."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(
        "".join(letter if letter.isalnum() or ord(letter) > 127 else " " for letter in letters).split()
    )
