"""Rule `boundary`: hexagons whose centre lies in a polygon, each with all slots, records or not."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import CellFile, Selection, SelectionRequest, listed
from core.selection.geojson import read_polygons
from core.selection.polygon_cells import cells_in


def read_boundary(path: Path, resolution: int) -> tuple[int, ...]:
    """The cells of a GeoJSON boundary. Raises InputError as `read_polygons` and `cells_in` do."""
    return cells_in(read_polygons(path), resolution, where=str(path))


class Boundary:
    """The boundary is public and the same whatever the data hold, and so are its hexagons."""

    key: ClassVar[str] = "boundary"
    title: ClassVar[str] = "Inside a boundary"
    cell_file: ClassVar[CellFile | None] = CellFile(
        title="Boundary as GeoJSON", suffixes=(".geojson", ".json"), read=read_boundary
    )

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        if not request.cells:
            raise InputError(
                "The boundary holds no hexagon.",
                where="selection.file",
                mend="name a GeoJSON file with a polygon",
            )
        return listed(contributions, request.cells)


RULE = Boundary()
