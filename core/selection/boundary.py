"""Rule `boundary`: hexagons whose centre lies in a polygon; latitude and longitude that look swapped."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from core.contributions import Contributions
from core.errors import InputError
from core.records.zone_places import nearest_places
from core.selection.base import CellColumns, CellFile, Selection, SelectionRequest, listed
from core.selection.geojson import PolygonRings, read_polygons
from core.selection.polygon_cells import cells_in, columns_in

_FAR_KM, _NEAR_KM = 200.0, 50.0


def read_boundary(path: Path, *resolutions: int) -> tuple[int, ...]:
    """The cells of a GeoJSON boundary.

    Raises InputError as `read_polygons` and `cells_in` do, for coordinates that look exchanged, and for
    several resolutions: the finest hexagons of a boundary leave nothing for coarser ones.
    """
    resolution, *others = resolutions
    if others:
        raise InputError(
            "A boundary takes hexagons of one resolution: its finest would leave nothing for coarser ones.",
            where="selection.rule",
            mend='write rule = "cells" and a file with the hexagons of each resolution, or one resolution',
        )
    polygons = read_polygons(path)
    _require_likely_order(polygons)
    return cells_in(polygons, resolution, where=str(path))


def _require_likely_order(polygons: Sequence[PolygonRings]) -> None:
    """Raises InputError where no place is near, and one is when latitude and longitude change places."""
    first, second = polygons[0].shell[0]
    if abs(first) > 90:
        return  # no latitude
    ((_, km),) = nearest_places(second, first)
    ((place, exchanged_km),) = nearest_places(first, second)
    if km > _FAR_KM and exchanged_km < _NEAR_KM:
        raise InputError(
            "Latitude and longitude of the boundary look swapped: as it is, it is far from every known "
            "place; swapped, it is near {place}.",
            place=place.name,
            where=polygons[0].where,
            mend="write the longitude first, as GeoJSON has it; for a place so far away list its hexagons, "
            'rule = "cells"',
        )


def read_columns(path: Path, resolution: int) -> CellColumns:
    """What features say about the cells in them, by numbers. Raises InputError as `read_polygons` does."""
    polygons = read_polygons(path)
    return columns_in(polygons, resolution) if any(one.columns for one in polygons) else {}


class Boundary:
    """The boundary is public and the same whatever the data hold, and so are its hexagons."""

    key: ClassVar[str] = "boundary"
    title: ClassVar[str] = "Inside a boundary"
    cell_file: ClassVar[CellFile | None] = CellFile(
        title="Boundary as GeoJSON",
        suffixes=(".geojson", ".json"),
        read=read_boundary,
        read_columns=read_columns,
    )

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        if not request.cells:
            raise InputError(
                "The boundary contains no hexagon.",
                where="selection.file",
                mend="name a GeoJSON file with a polygon",
            )
        return dataclasses.replace(listed(contributions, request.cells), columns=request.columns)


RULE = Boundary()
