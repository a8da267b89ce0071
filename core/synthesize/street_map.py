"""The map of the made-up city: the streets that its buses run on, side streets around, and its places.

Names are made up too: one that exists does so by chance.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import Floats
from core.synthesize.ground import latitude_of, longitude_of
from core.synthesize.map_names import PLACES, STREETS
from core.synthesize.routes import ROUTE_POINTS, make_routes, suburbs_and_terminals
from core.system.files import make_folder, write_atomic

_DECIMALS = 5
"""Of a degree on the map of the made-up city: a metre."""
_EVERY = 24
"""The made-up city's streets follow every so manyth point of a route."""
_GRID = 9
"""Side streets of the made-up city each way around a place."""
_SPACING_KM = 0.42
_FIRST = ("Amba", "Neem", "Moti", "Kamal", "Surya", "Champa", "Jal", "Tara", "Gulab", "Shanti")
_SECOND = ("Nagar", "Chowk", "Bagh", "Pura", "Gate", "Market")


def write_city_maps(folder: Path, seed: int) -> tuple[Path, Path]:
    """Streets and places as GeoJSON, the same bytes for the same seed.

    Raises InputError where the folder cannot be written.
    """
    make_folder(folder)
    places, names = _places()
    streets = [*_main_streets(seed), *_side_streets(places, names)]
    found = (
        (folder / STREETS, streets),
        (folder / PLACES, [_point(name, place) for name, place in zip(names, places, strict=True)]),
    )
    for path, features in found:
        lines = ",\n".join(json.dumps(feature, separators=(",", ":")) for feature in features)
        write_atomic(path, f'{{"type":"FeatureCollection","features":[\n{lines}\n]}}\n'.encode())
    return folder / STREETS, folder / PLACES


def _places() -> tuple[Floats, list[str]]:
    """A junction in the middle, suburbs and terminals, (n, 2) kilometres from the middle; their names."""
    suburbs, terminals = suburbs_and_terminals()
    middle = np.zeros((1, 2))
    places = np.concatenate([middle, suburbs, terminals.reshape(-1, 2)])
    made = [f"{first} {second}" for second, first in product(_SECOND, _FIRST)]
    return places, ["Central Junction", *made[: len(places) - 1]]


def _main_streets(seed: int) -> list[dict[str, Any]]:
    routes = make_routes(np.random.default_rng(seed))
    corners = np.unique(np.r_[np.arange(0, ROUTE_POINTS, _EVERY), ROUTE_POINTS - 1])
    lines = np.stack([routes.east[:, corners], routes.north[:, corners]], axis=-1)
    return [_line(f"Bus Road {number}", line) for number, line in enumerate(lines, start=1)]


def _side_streets(places: Floats, names: list[str]) -> list[dict[str, Any]]:
    """A grid around each place, turned towards the middle and a little uneven."""
    rng = np.random.default_rng(len(places))
    found = []
    reach = (_GRID - 1) / 2
    for place, name in zip(places, names, strict=True):
        turn = np.arctan2(place[1], place[0]) + rng.normal(0, 0.1)
        turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        across = (np.arange(_GRID) - reach + rng.normal(0, 0.12, (2, _GRID))) * _SPACING_KM
        ends = rng.uniform(0.75, 1.25, (2, _GRID, 2)) * reach * _SPACING_KM * np.array([-1, 1])
        for way, number in product(range(2), range(_GRID)):
            line = np.empty((2, 2))
            line[:, way] = across[way, number]
            line[:, 1 - way] = ends[way, number]
            found.append(_line(f"{name} {'Street' if way else 'Lane'} {number + 1}", place + line @ turned))
    return found


def _line(name: str, places: Floats) -> dict[str, Any]:
    return _feature(name, {"type": "LineString", "coordinates": _degrees(places)})


def _point(name: str, place: Floats) -> dict[str, Any]:
    (position,) = _degrees(place[None])
    return _feature(name, {"type": "Point", "coordinates": position})


def _degrees(places: Floats) -> list[list[float]]:
    east, north = places[:, 0], places[:, 1]
    columns = longitude_of(east, _DECIMALS), latitude_of(north, _DECIMALS)
    return [list(position) for position in zip(*(column.tolist() for column in columns), strict=True)]


def _feature(name: str, geometry: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "properties": {"name": name}, "geometry": geometry}
