"""Places that a person types, a box, cells or ids, written to a file; what is wrong with them.

A file is named after its content: what a spec names never changes behind its back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from core.clean.record_filter import MOST_TEXT, is_public_text
from core.errors import InputError
from core.hats.cells import cell_text, parse_cell
from core.system.files import PRIVATE, write_atomic
from core.system.nested_texts import json_value
from core.system.regular_files import read_regular

_MARK = 12
"""Letters of the mark in the name of a file of typed places."""


def write_box(folder: Path, *, south: float, west: float, north: float, east: float) -> Path:
    """A GeoJSON boundary with these edges, in degrees, for the rule `boundary`.

    Raises InputError for edges that enclose nothing, and where the folder cannot be written.
    """
    if not (-90.0 <= south < north <= 90.0 and -180.0 <= west < east <= 180.0):
        raise InputError(
            "These edges enclose nothing.",
            where=f"box {south:g}, {west:g}, {north:g}, {east:g}",
            mend="write south, west, north, east in degrees: south below north, west below east",
        )
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    geometry = {"type": "Polygon", "coordinates": [ring]}
    document = {"type": "Feature", "properties": {}, "geometry": geometry}
    return _write(folder, "box", ".geojson", json.dumps(document))


def write_cells(folder: Path, text: str, *resolutions: int) -> Path:
    """A list of the H3 cells in a text, between blanks, commas or lines, for the rule `cells`.

    Raises InputError for a text without cells, for what is no cell of these resolutions, and where the folder
    cannot be written.
    """
    words = text.replace(",", " ").replace(";", " ").split()
    if not words:
        raise InputError(
            "No hexagon is typed.",
            where="candidate hexagons",
            mend="type H3 cells separated by spaces, for instance 8742d9d69ffffff",
        )
    cells = sorted(
        {parse_cell(word, *resolutions, where=f"candidate hexagons, {word[:20]}") for word in words}
    )
    return _write(folder, "cells", ".txt", "".join(f"{cell_text(cell)}\n" for cell in cells))


def write_place_ids(folder: Path, texts: Sequence[str]) -> Path:
    """A list of ids of places that are no hexagons, for the rule `cells`.

    Raises InputError for none, for one that cannot be published, and where the folder cannot be written.
    """
    wrong = [text for text in texts if not is_public_text(text)]
    if wrong or not texts:
        raise InputError(
            "No place is typed, or one whose id is longer than {most} characters or has invisible ones.",
            most=MOST_TEXT,
            where="candidate places",
            mend="type the ids of the places, as the layer or the records have them",
        )
    return _write(folder, "places", ".txt", "".join(f"{text}\n" for text in sorted(set(texts))))


def _write(folder: Path, kind: str, ending: str, text: str) -> Path:
    mark = hashlib.sha256(text.encode()).hexdigest()[:_MARK]
    path = folder / f"{kind}-{mark}{ending}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "The folder cannot be created: {strerror}.",
            strerror=error.strerror,
            where=str(folder),
            mend="make room there",
        ) from None
    write_atomic(path, text.encode(), mode=PRIVATE)
    return path


def read_box(path: Path) -> tuple[float, float, float, float] | None:
    """South, west, north, east of a file that `write_box` wrote; None for any other, or where it is gone."""
    try:
        ring = json_value(read_regular(path))["geometry"]["coordinates"][0]
        (west, south), (east, north) = ring[0], ring[2]
        return float(south), float(west), float(north), float(east)
    except (OSError, ValueError, LookupError, TypeError):
        return None
