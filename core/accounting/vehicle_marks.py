"""Keyed hashes of vehicles by each fold of their ids, and when two populations share too many.

Source: method 13.1.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from core.records.id_folds import PART, OtherTexts, id_folds

_BYTES = 16
_PARTS = 20
"""Two populations may share up to one vehicle in twenty (5 %) of the smaller."""
_PART = "new_vehicles_part"
MARK_KEYS = ("new_vehicles_as_read", "new_vehicles", "new_vehicles_further", _PART)


@dataclass(frozen=True, slots=True)
class VehicleMarks:
    """A set of hashes for each fold of `id_folds`.

    All are made with one key: what versions that knew one fold alone have left stands for all three, and
    finds every id that is its own fold.
    """

    as_read: frozenset[str] = field(default=frozenset(), repr=False)
    id: frozenset[str] = field(default=frozenset(), repr=False)
    further: frozenset[str] = field(default=frozenset(), repr=False)
    part: frozenset[str] = field(default=frozenset(), repr=False)
    """As `further`, but of an id of several columns the texts of those that tell most vehicles apart."""

    @property
    def folds(self) -> tuple[frozenset[str], ...]:
        return self.as_read, self.id, self.further, self.part

    def __len__(self) -> int:
        """How many vehicles there are, rather too few: two that fold together may be one."""
        return min(map(len, self.folds[:3]))

    def __or__(self, other: VehicleMarks) -> VehicleMarks:
        return VehicleMarks(*(one | more for one, more in zip(self.folds, other.folds, strict=True)))

    def __sub__(self, other: VehicleMarks) -> VehicleMarks:
        return VehicleMarks(*(one - less for one, less in zip(self.folds, other.folds, strict=True)))

    def overlap(self, other: VehicleMarks) -> bool:
        """Whether more than 5 % of the smaller are in both, in the fold that finds most of them."""
        shared = max(len(one & more) for one, more in zip(self.folds, other.folds, strict=True))
        return shared * _PARTS > min(len(self), len(other))

    def to_json(self) -> dict[str, list[str]]:
        """The ids, and the other folds where these are other hashes."""
        entries = zip(MARK_KEYS, self.folds, strict=True)
        usual = {_PART: self.further}
        return {
            key: sorted(fold) for key, fold in entries if fold is self.id or fold != usual.get(key, self.id)
        }

    @classmethod
    def from_json(cls, entries: Mapping[str, Any]) -> VehicleMarks:
        ids = entries[MARK_KEYS[1]]
        further = entries.get(MARK_KEYS[2], ids)
        usual = {_PART: further}
        return cls(*(frozenset(entries.get(key, usual.get(key, ids))) for key in MARK_KEYS))


def marks_of(key: bytes, vehicles: Collection[str], other_texts: OtherTexts) -> VehicleMarks:
    """The hashes of some ids; other_texts: how they were read that were written otherwise."""
    folded = [id_folds(vehicle) for vehicle in vehicles]
    read = [text for one in folded for text in other_texts.get(one.id, (one.as_read,))]
    ids = {one.id for one in folded} | {id_folds(text).id for text in read}
    further = {one.further for one in folded}
    folds = (read, ids, further, _telling_parts(further))
    return VehicleMarks(*(_hashes(key, fold) for fold in folds))


def _telling_parts(ids: Collection[str]) -> set[str]:
    """The texts of those columns that tell at least half as many vehicles apart as the one that tells most:
    an agency names no vehicle."""
    columns = [
        set(column) - {""} for column in zip_longest(*(name.split(PART) for name in ids), fillvalue="")
    ]
    most = max(map(len, columns), default=0)
    return set().union(*(column for column in columns if 2 * len(column) >= most))


def _hashes(key: bytes, texts: Iterable[str]) -> frozenset[str]:
    return frozenset(
        hmac.digest(key, text.encode(errors="surrogatepass"), hashlib.sha256)[:_BYTES].hex() for text in texts
    )
