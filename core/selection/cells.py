"""Rule `cells`: a listed file of H3 cells, each with all slots of the window; an empty list."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from core.contributions import Contributions
from core.errors import InputError
from core.hats.cells import parse_cell
from core.read.unreadable_files import unreadable_as_input_error
from core.selection.base import CellFile, Selection, SelectionRequest, listed
from core.system.regular_files import read_regular
from core.texts import text_of


def read_cells(path: Path, *resolutions: int) -> tuple[int, ...]:
    """Cells from a text file, one a line; a header `h3_cell` and lines with # are passed over."""
    with unreadable_as_input_error(path):
        lines = read_regular(path).decode("utf-8-sig", "replace").splitlines()
    cells = set()
    for number, line in enumerate(lines, start=1):
        text = line.split("#")[0].split(",")[0].strip()
        if text and text != "h3_cell":
            cells.add(
                parse_cell(
                    text, *resolutions, where=text_of("{path}, line {number}", path=path, number=number)
                )
            )
    return tuple(sorted(cells))


class FixedCells:
    """The list is public and the same whatever the data hold."""

    key: ClassVar[str] = "cells"
    title: ClassVar[str] = "A list of hexagons"
    cell_file: ClassVar[CellFile | None] = CellFile(
        title="List of H3 cells, one per line", suffixes=(".txt", ".csv"), read=read_cells
    )

    def select(self, contributions: Contributions, request: SelectionRequest) -> Selection:
        if not request.cells:
            raise InputError(
                "The list of cells is empty.", where="selection.file", mend="list one H3 cell a line"
            )
        return listed(contributions, request.cells, request.hats)


RULE = FixedCells()
