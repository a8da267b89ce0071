"""Which layer zones come from, how wide lines become, and zones that share an area."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from core.arrays import Floats
from core.errors import InputError
from core.records.labels import LabelledZones
from core.release_texts import is_line
from core.texts import Name, joined, text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """Two zones that share ground; what lies there belongs to the first."""

    first: str
    second: str
    """Ids."""
    square_metres: float


_MOST_SHOWN = 10


def overlaps_text(overlaps: Sequence[Overlap]) -> str:
    """Which zones share how much ground, the first few; empty where none do."""
    if not overlaps:
        return ""
    shown = (
        text_of(
            "{first} and {second} share {area} km2",
            first=Name(one.first),
            second=Name(one.second),
            area=f"{one.square_metres / 1e6:.3g}",
        )
        for one in overlaps[:_MOST_SHOWN]
    )
    more = len(overlaps) - _MOST_SHOWN
    return text_of(
        "of zones: {pairs}{more}; a record there counts in the first",
        pairs=joined("; ", shown),
        more=text_of(" and {more} more", more=more) if more > 0 else "",
    )


class PublicZones(LabelledZones, Protocol):
    """Zones with what is published of them."""

    @property
    def source(self) -> ZonesSource: ...

    @property
    def names(self) -> tuple[str, ...]:
        """In the order of the ids."""
        ...

    @property
    def middles(self) -> Floats:
        """Longitude and latitude of the centroid of each, shape (zones, 2)."""
        ...

    @property
    def overlaps(self) -> tuple[Overlap, ...]:
        """The largest first."""
        ...

    def outlines(self) -> tuple[dict[str, Any], ...]:
        """Geometries as GeoJSON has them, in degrees."""
        ...


BUFFER_M = (1, 200)
"""Metres on each side of a street, from and to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonesSource:
    """Checked on construction; raises InputError that names the key at fault."""

    file: str
    """Path as it was typed; a spec's is relative to its folder."""
    id: str
    """The field whose texts are the ids."""
    licence: str
    """Of the layer: its outlines are published."""
    name: str = ""
    """The field of names; empty: the ids are the names."""
    table: str = ""
    """Of a file that holds several; empty for its only one."""
    buffer_m: int = 0
    """Of a layer of lines; 0: the layer has areas."""
    sha256: str = ""
    """Of the file, once it was read."""

    def __post_init__(self) -> None:
        least, most = BUFFER_M
        if self.buffer_m and not least <= self.buffer_m <= most:
            raise InputError(
                "A line becomes a zone of {least} to {most} metres on each side.",
                least=least,
                most=most,
                where="hats.zones.buffer_m",
                mend="write for instance buffer_m = 25, and leave it off for a layer of areas",
            )
        for key, text in (("file", self.file), ("id", self.id), ("licence", self.licence)):
            if not text.strip() or not is_line(text):
                raise InputError(
                    "The {key} of the zones must be one line of text.",
                    key=key,
                    where=f"hats.zones.{key}",
                    mend=text_of('write {key} = "..."', key=key),
                )

    @property
    def digest(self) -> str:
        """Of what decides which zone a position is in: the file's bytes, and how they are read."""
        facts = (self.sha256, self.id, self.table, self.buffer_m)
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def path(self, folder: Path) -> Path:
        """Where the file lies, for a spec in `folder`."""
        return folder / self.file
