"""Names of hexagons: the place that the middle lies in, else the nearest one within a distance.

Of areas around a middle the smallest counts; of places that are equally near the first by its name, whatever
the order in the file. Names are public, and follow from the layer and the hexagon alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import h3
import numpy as np

from core.geodata.features import Features
from core.geodata.layer_files import read_features
from core.geodata.near_place import near
from core.geodata.part_trees import PartTrees, inside, nearest, trees_of
from core.geodata.places_source import PlacesSource
from core.geodata.shapes import chosen_parts, to_metres
from core.progress import Progress, part, silent

_LAST = (float("inf"), "", "", "")


def read_places(
    source: PlacesSource, folder: Path, cells: Iterable[str], progress: Progress = silent
) -> dict[str, str]:
    """Hexagon -> name, of those that have one; folder: what the file's path starts from.

    Raises InputError as the readers of layers do, and what `progress` raises.
    """
    path = source.path(folder)
    features = read_features(path, source.table, source.name_field, part(progress, 0.0, 0.9))
    named = named_parts(features)
    progress(0.9, "Naming hexagons")
    return names_of_cells(features, named, sorted(set(cells)), source.within_m)


def named_parts(features: Features) -> PartTrees:
    """The parts of features that have a name."""
    has_name = np.array([bool(name) for name in (*features.names, "")])[:-1]
    return trees_of(chosen_parts(features.parts, has_name[features.parts.owner]))


def names_of_cells(
    features: Features, named: PartTrees, cells: Sequence[str], within_m: float
) -> dict[str, str]:
    """Hexagon -> name, of those that have one; named: the layer's `named_parts`."""
    if not cells or not len(named):
        return {}
    middles = np.array([h3.cell_to_latlng(cell)[::-1] for cell in cells])
    metres = to_metres(middles)
    found: dict[int, tuple[float, str, str, str]] = {}

    def offer(position: int, rank: float, name: str, text: str) -> None:
        found[position] = min(found.get(position, _LAST), (rank, name.casefold(), name, text))

    for position, one in zip(*inside(named, metres), strict=True):
        name = features.names[named.parts.owner[one]]
        offer(int(position), float(named.parts.size[one]), name, name)
    enclosed = set(found)
    stretch = 1 / np.cos(np.radians(middles[:, 1]))
    for position, one, distance in zip(*nearest(named, metres, within_m * stretch), strict=True):
        if int(position) not in enclosed:
            name = features.names[named.parts.owner[one]]
            offer(int(position), float(distance), name, near(name))
    return {cells[position]: text for position, (_, _, _, text) in sorted(found.items())}


def cell_at(latitude: float, longitude: float, resolution: int) -> str:
    """The hexagon that a position lies in."""
    return str(h3.latlng_to_cell(latitude, longitude, resolution))
