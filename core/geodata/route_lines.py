"""Lines of routes from the shapes of a GTFS timetable: points that are none, or too many.

Source: GTFS Schedule Reference (gtfs.org), routes.txt, trips.txt and shapes.txt.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from core.errors import InputError
from core.progress import Progress, part, silent
from core.read.gtfs_tables import ROUTE_NAMES, SHAPES, TRIPS, GtfsTables

RouteLine = tuple[tuple[float, float], ...]
"""Longitude and latitude of each corner, in degrees."""
MOST_LINE_CORNERS = 1_000_000
"""Points of all lines of a timetable's routes together."""
_DECIMALS = 6
_POINT = ("shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence")


def read_route_lines(path: Path, labels: Iterable[str], progress: Progress = silent) -> dict[str, RouteLine]:
    """Label -> line, of those that the timetable has; a label is a `route_id`, else a `route_short_name`.

    path: folder or zip. Of shapes that are taken equally often the smaller id counts. Raises InputError for a
    timetable that cannot be read, or has no shapes, and what `progress` raises.
    """
    tables = require_route_lines(path)
    labels_of = _labels_of(tables, frozenset(labels))
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    trips = tables.columns(TRIPS, ("route_id", "shape_id"), ("route_id",), part(progress, 0.0, 0.3))
    for (route, shape), _ in trips:
        for label in labels_of.get(route, ()) if shape else ():
            uses[label][shape] += 1
    taken = {label: min(shapes, key=lambda one: (-shapes[one], one)) for label, shapes in uses.items()}
    lines = _lines(tables, frozenset(taken.values()), part(progress, 0.3, 1.0))
    return {label: lines[shape] for label, shape in sorted(taken.items()) if shape in lines}


def require_route_lines(path: Path) -> GtfsTables:
    """The tables, if all that lines are made of are there. Raises InputError otherwise."""
    return GtfsTables(path, (ROUTE_NAMES, TRIPS, SHAPES))


def _labels_of(tables: GtfsTables, labels: frozenset[str]) -> dict[str, list[str]]:
    """Route -> the labels that mean it."""
    short: dict[str, set[str]] = defaultdict(set)
    routes = set()
    for (route, name), _ in tables.columns(ROUTE_NAMES, ("route_id", "route_short_name"), ("route_id",)):
        routes.add(route)
        short[name].add(route)
    found: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        for route in {label} if label in routes else short.get(label, ()):
            found[route].append(label)
    return found


def _lines(tables: GtfsTables, wanted: frozenset[str], progress: Progress) -> dict[str, RouteLine]:
    """Shape -> its corners in the order of their numbers; of two corners or more."""
    corners: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    count = 0
    for (shape, latitude, longitude, sequence), line in tables.columns(SHAPES, _POINT, _POINT, progress):
        if shape in wanted:
            corners[shape].append(_corner(latitude, longitude, sequence, tables.place(SHAPES, line)))
            count += 1
            if count > MOST_LINE_CORNERS:
                raise InputError(
                    "The shapes of the routes have more than {most} points.",
                    most=f"{MOST_LINE_CORNERS:,}",
                    where=tables.place(SHAPES, line),
                    mend="simplify the shapes, or leave hats.shapes out: it is for the map alone",
                )
    return {
        shape: tuple((longitude, latitude) for _, longitude, latitude in sorted(found))
        for shape, found in corners.items()
        if len(found) > 1
    }


def _corner(latitude: str, longitude: str, sequence: str, where: str) -> tuple[int, float, float]:
    try:
        number, north, east = int(sequence), float(latitude), float(longitude)
    except ValueError:
        number, north, east = 0, math.nan, math.nan
    if not (abs(north) <= 90 and abs(east) <= 180):
        raise InputError(
            "This is not a point of a shape.",
            where=where,
            mend="write degrees and a whole number, for instance 30.27,-97.74,1",
        )
    return number, round(east, _DECIMALS), round(north, _DECIMALS)
