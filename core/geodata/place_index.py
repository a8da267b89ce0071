"""Places by what a person types: the beginning of any word of a name, in whatever case, accents or not."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import merge

import numpy as np

from core.arrays import Floats, Ints
from core.geodata.features import Features
from core.geodata.shapes import middles, to_lon_lat
from core.progress import Progress, silent

_BLOCK = 2000
_LOOKED_AT = 2000
"""Names of places that begin as typed, of which the best are chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlace:
    """One place of a layer."""

    name: str
    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceIndex:
    """The names of layers, each once; in columns, which Python's garbage collection does not look through."""

    names: tuple[str, ...]
    degrees: Floats
    """Longitude and latitude of each, shape (names, 2)."""
    _words: tuple[str, ...]
    """What follows from each beginning of a word on, sorted."""
    _of: Ints
    """The name that each of these belongs to."""

    def completions(self, typed: str, most: int = 12) -> tuple[FoundPlace, ...]:
        """Places with a word that begins as what was typed; names that begin so come first."""
        wanted = plain_letters(typed)
        if not wanted:
            return ()
        start = end = bisect_left(self._words, wanted)
        last = min(start + _LOOKED_AT, len(self._words))
        while end < last and self._words[end].startswith(wanted):
            end += 1
        found = dict.fromkeys(self._of[start:end].tolist())
        ranked = sorted(found, key=lambda number: self._rank(number, wanted))
        return tuple(self._place(number) for number in ranked[:most])

    def _rank(self, number: int, wanted: str) -> tuple[bool, bool, str, str]:
        name = self.names[number]
        plain = plain_letters(name)
        return plain != wanted, not plain.startswith(wanted), plain, name

    def _place(self, number: int) -> FoundPlace:
        longitude, latitude = self.degrees[number].tolist()
        return FoundPlace(name=self.names[number], longitude=longitude, latitude=latitude)


def place_index(layers: Sequence[Features], progress: Progress = silent) -> PlaceIndex:
    """The index of all names; of features that share one, the place of the largest. Raises as `progress`."""
    names: dict[str, None] = {}
    degrees = [np.empty((0, 2))]
    for features in layers:
        parts = features.parts
        largest: dict[str, int] = {}
        for part in np.argsort(-parts.size, kind="stable"):
            name = features.names[parts.owner[part]]
            if name and name not in names:
                largest.setdefault(name, int(part))
        progress(0.3, "Listing the names of places")
        numbers = np.array(list(largest.values()), np.int64)
        for start in range(0, numbers.size, _BLOCK):
            block = numbers[start : start + _BLOCK]
            degrees.append(to_lon_lat(middles(parts.shapes[block], parts.kind[block])))
        names |= dict.fromkeys(largest)
    progress(0.7, "Listing the names of places")
    words, of = _sorted_words(names)
    return PlaceIndex(names=tuple(names), degrees=np.concatenate(degrees), _words=words, _of=of)


def _sorted_words(names: Iterable[str]) -> tuple[tuple[str, ...], Ints]:
    """What follows from each beginning of a word on, in order, and the number of its name.

    In blocks that are merged: a sort of all would not give Python's lock back until it is done.
    """
    tails = [(tail, number) for number, name in enumerate(names) for tail in _tails(plain_letters(name))]
    blocks = [sorted(tails[start : start + _BLOCK]) for start in range(0, len(tails), _BLOCK)]
    words: list[str] = []
    of: list[int] = []
    for word, number in merge(*blocks):
        words.append(word)
        of.append(number)
    return tuple(words), np.array(of, np.int64)


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
