"""Zones that are refused by id: no area, too small, crossing lines, too many corners or parts."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

from core.clean.projections import Projection, local_metres
from core.errors import InputError
from core.geodata.features import name_in_cell
from core.geodata.layer_files import layer_rows
from core.geodata.shapes import EARTH_RADIUS_M, UNREADABLE, Shapes, fault_of
from core.geodata.zones import MiddleLines, Zones
from core.geodata.zones_source import Overlap, ZonesSource
from core.progress import Progress, part, silent
from core.read.unreadable_files import unreadable_as_input_error
from core.release_texts import is_line, one_line
from core.system.regular_files import open_regular
from core.texts import text_of

MOST_ZONES = 5_000
MOST_CORNERS = 2_000_000
"""Corners of the outlines of all zones together: a country's wards in full detail have fewer."""
MOST_RINGS = 2_000
"""Parts and holes of one zone: rounding takes the square of them, where they are long and side by side."""
LONGEST_TEXT = 80
_DECIMALS = 7
"""Of degrees of zones' outlines: they are used as published, with the same digits as positions."""
_MOST_NEIGHBOURS = 500_000
"""Pairs of zones whose rectangles touch, both ways."""
_LEAST_OVERLAP = 1.0
"""Square metres that two zones may share: what is less comes of rounding."""
_AREAS, _LINES = (3, 6), (1, 5)
"""shapely's types."""
_WIDEST_LINES = 10.0
"""Degrees that a layer's lines may be wide: farther off, metres are no longer true to one in a hundred."""


def read_zones(source: ZonesSource, folder: Path, progress: Progress = silent) -> Zones:
    """The zones of a layer; folder: what the file's path starts from.

    Raises InputError as the readers of layers do, and for a zone without an id, two of one id, a text that is
    too long or not printable, what is no area (or, with a buffer, no line), lies off the Earth, crosses
    itself or the date line, and for too many of them; and what `progress` raises.
    """
    path = source.path(folder)
    where = f"{path}, {one_line(source.table)}" if source.table else str(path)
    with unreadable_as_input_error(path), open_regular(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    rows = layer_rows(path, source.table, (source.id, source.name or source.id), part(progress, 0.0, 0.6))
    if not 0 < len(rows.cells) <= MOST_ZONES:
        raise InputError(
            "The layer has {zones} zones, and a release needs 1 to {most}.",
            zones=f"{len(rows.cells):,}",
            most=f"{MOST_ZONES:,}",
            where=where,
            mend="save those of the city alone, or merge small ones",
        )
    ids = _ids(source.id, [cells[0] for cells in rows.cells], where)
    names = [_text(cells[1]) or known for known, cells in zip(ids, rows.cells, strict=True)]
    for known, name in zip(ids, names, strict=True):
        _require_text(name, known, where)
    order = np.array(sorted(range(len(ids)), key=ids.__getitem__))
    ids = [ids[number] for number in order]
    progress(0.6, "Checking the zones")
    shapes = _sound(np.concatenate(rows.pieces)[order], ids, rows.to_degrees, source, where)
    progress(0.8, "Checking the zones")
    lines = None
    if source.buffer_m:
        shapes, lines = _streets(shapes, source.buffer_m, where)
    return Zones(
        ids=tuple(ids),
        names=tuple(names[number] for number in order),
        shapes=shapes,
        source=dataclasses.replace(source, sha256=digest),
        overlaps=() if lines else _overlaps(shapes, ids, where),
        lines=lines,
    )


def _ids(field: str, cells: Sequence[object], where: str) -> list[str]:
    ids: dict[str, int] = {}
    for number, cell in enumerate(cells, start=1):
        text = _text(cell)
        if not text:
            raise InputError(
                "Feature {number} of the layer has no id in the field {field}.",
                number=number,
                field=f"{one_line(field)!r}",
                where=where,
                mend="give each zone an id, or name the field that contains them (hats.zones.id)",
            )
        _require_text(text, one_line(text), where)
        if text in ids:
            raise InputError(
                "Two zones have the id {id}: features {first} and {second}.",
                id=f"{text!r}",
                first=ids[text],
                second=number,
                where=where,
                mend="merge them into one feature (Dissolve in QGIS), or name a field that distinguishes "
                "them",
            )
        ids[text] = number
    return list(ids)


def _text(cell: object) -> str:
    """What a cell says, as it stands; a number as its digits."""
    return cell.strip() if isinstance(cell, str) else name_in_cell(cell)


def _require_text(text: str, known: str, where: str) -> None:
    if len(text) > LONGEST_TEXT or not is_line(text):
        raise InputError(
            "Id or name of the zone {zone} is longer than {longest} letters, or not one line of text.",
            zone=f"{known!r}",
            longest=LONGEST_TEXT,
            where=where,
            mend="shorten it, or name another field (hats.zones.id, hats.zones.name)",
        )


def _sound(
    shapes: Shapes, ids: Sequence[str], to_degrees: Projection | None, source: ZonesSource, where: str
) -> Shapes:
    """The areas, or lines, in whole 1e-7 degrees. Raises InputError for the first that is at fault."""

    def refuse(at_fault: NDArray[np.bool_], what: Callable[[str], str], mend: str) -> None:
        """what: says what is wrong with the zone of that id."""
        if at_fault.any():
            raise InputError(what(f"{ids[int(np.argmax(at_fault))]!r}"), where=where, mend=mend)

    refuse(
        shapely.is_missing(shapes) | shapely.is_empty(shapes),
        lambda zone: text_of("The zone {zone} has no geometry.", zone=zone),
        "draw it, or leave it out of the layer",
    )
    refuse(
        shapes == UNREADABLE,
        lambda zone: text_of("The geometry of the zone {zone} cannot be read.", zone=zone),
        "end each ring with its first position; a map program does that when it saves the layer again",
    )
    kind = shapely.get_type_id(shapes)
    if source.buffer_m:
        mend = "leave points and areas out, or leave buffer_m off: areas need none"
        refuse(
            ~np.isin(kind, _LINES), lambda zone: text_of("The zone {zone} is not a line.", zone=zone), mend
        )
    else:
        mend = "leave points out; for streets say how wide they are, such as buffer_m = 25"
        refuse(
            ~np.isin(kind, _AREAS), lambda zone: text_of("The zone {zone} is not an area.", zone=zone), mend
        )
    shapes = shapely.force_2d(shapes)
    places, of = shapely.get_coordinates(shapes, return_index=True)
    if len(places) > MOST_CORNERS:
        raise InputError(
            "The outlines of the zones have more than {most} corners.",
            most=f"{MOST_CORNERS:,}",
            where=where,
            mend="simplify them in a map program: bends of a metre change nothing",
        )
    with np.errstate(invalid="ignore"):
        degrees = to_degrees(places) if to_degrees else places
        off = ~((np.abs(degrees[:, 0]) <= 180) & (np.abs(degrees[:, 1]) <= 90))
    lost = np.zeros(len(ids), bool)
    lost[of[off]] = True
    mend = "save the layer with its true reference system, or in EPSG:4326 (degrees, longitude first)"
    refuse(lost, lambda zone: text_of("The zone {zone} does not lie on the Earth.", zone=zone), mend)
    shapes = shapely.set_coordinates(shapes, degrees)
    bounds = shapely.bounds(shapes)
    refuse(
        bounds[:, 2] - bounds[:, 0] > 180,
        lambda zone: text_of(
            "The zone {zone} spans more than half the Earth, or crosses the date line.", zone=zone
        ),
        "cut it in two at longitude 180, as one feature",
    )
    if source.buffer_m:
        degrees = np.round(degrees, _DECIMALS)
        return np.asarray(shapely.set_coordinates(shapes, degrees), object)
    crossed = ~shapely.is_valid(shapes)
    fault = fault_of(shapes[int(np.argmax(crossed))])
    mend = "draw it without crossing lines, or repair it in a map program (Fix Geometries in QGIS)"
    refuse(
        crossed,
        lambda zone: text_of("The outline of the zone {zone} is not valid: {fault}.", zone=zone, fault=fault),
        mend,
    )
    single, of_zone = shapely.get_parts(shapes, return_index=True)
    rings = np.bincount(of_zone, shapely.get_num_interior_rings(single) + 1, minlength=len(ids))
    refuse(
        rings > MOST_RINGS,
        lambda zone: text_of(
            "The zone {zone} has more than {most} parts and holes.", zone=zone, most=f"{MOST_RINGS:,}"
        ),
        "leave the small ones out in a map program, such as islets and courtyards",
    )
    shapes = _in_whole_digits(shapes)
    refuse(
        shapely.is_empty(shapes),
        lambda zone: text_of("The zone {zone} is smaller than a hand.", zone=zone),
        "leave it out of the layer",
    )
    return shapes


def _in_whole_digits(areas: Shapes) -> Shapes:
    whole = shapely.set_precision(areas, 10.0**-_DECIMALS)
    return np.asarray(shapely.set_precision(whole, 0), object)


def _streets(shapes: Shapes, buffer_m: int, where: str) -> tuple[Shapes, MiddleLines]:
    """The ground within some metres of each line, and the lines in metres."""
    west, south, east, north = shapely.total_bounds(shapes)
    if east - west > _WIDEST_LINES:
        raise InputError(
            "The lines of the layer spread over more than {widest} degrees.",
            widest=f"{_WIDEST_LINES:g}",
            where=where,
            mend="save those of the city alone",
        )
    middle = float(west + east) / 2, float(south + north) / 2
    to_metres, to_degrees = local_metres(*middle)
    lines = shapely.transform(shapes, to_metres)
    broad = shapely.transform(shapely.buffer(lines, buffer_m), to_degrees)
    sound = np.where(shapely.is_valid(broad), broad, shapely.buffer(broad, 0))  # turning may cross a bend
    return _in_whole_digits(sound), MiddleLines(shapes=lines, middle=middle)


def _overlaps(shapes: Shapes, ids: Sequence[str], where: str) -> tuple[Overlap, ...]:
    """Of areas. Raises InputError where so many may overlap that they are no division of a city."""
    first, second = shapely.STRtree(shapes).query(shapes)
    if first.size > _MOST_NEIGHBOURS:
        raise InputError(
            "Too many zones: {pairs} pairs may overlap.",
            pairs=f"{(first.size - len(ids)) // 2:,}",
            where=where,
            mend="choose a layer that divides the city, such as its wards",
        )
    first, second = first[first < second], second[first < second]
    touching = shapely.intersects(shapes[first], shapes[second])
    first, second = first[touching], second[touching]
    shared = shapely.intersection(shapes[first], shapes[second])
    to_metres = np.radians(1) * EARTH_RADIUS_M
    stretch = np.cos(np.radians(shapely.bounds(shapes[first])[:, 1]))
    areas = shapely.area(shared) * stretch * to_metres**2
    found = [
        Overlap(first=ids[one], second=ids[other], square_metres=float(area))
        for one, other, area in zip(first, second, areas, strict=True)
        if area >= _LEAST_OVERLAP
    ]
    return tuple(sorted(found, key=lambda overlap: (-overlap.square_metres, overlap.first, overlap.second)))
