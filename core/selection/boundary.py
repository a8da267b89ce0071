"""Rule `boundary`: hexagons whose centre lies in a polygon, each with all slots, records or not."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import ClassVar

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import CellColumns, CellFile, Selection, SelectionRequest, listed
from core.selection.geojson import read_polygons
from core.selection.polygon_cells import cells_in, columns_in


def read_boundary(path: Path, resolution: int) -> tuple[int, ...]:
    """The cells of a GeoJSON boundary. Raises InputError as `read_polygons` and `cells_in` do."""
    return cells_in(read_polygons(path), resolution, where=str(path))


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
                "The boundary holds no hexagon.",
                where="selection.file",
                mend="name a GeoJSON file with a polygon",
            )
        return dataclasses.replace(listed(contributions, request.cells), columns=request.columns)


RULE = Boundary()
