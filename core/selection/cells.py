"""Rule `cells`: a fixed list of hexagons, each with all slots of the window, records or not."""

from __future__ import annotations

from typing import ClassVar

from core.contributions import Contributions
from core.errors import InputError
from core.selection.base import CellFile, Selection, SelectionRequest, listed
from core.selection.cell_list import read_cells


class FixedCells:
    """The list is public and the same whatever the data hold."""

    key: ClassVar[str] = "cells"
    title: ClassVar[str] = "A list of hexagons"
    cell_file: ClassVar[CellFile | None] = CellFile(
        title="List of H3 cells, one a line", suffixes=(".txt", ".csv"), read=read_cells
    )

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        if not request.cells:
            raise InputError(
                "The list of cells is empty.", where="selection.file", mend="list one H3 cell a line"
            )
        return listed(contributions, request.cells)


RULE = FixedCells()
