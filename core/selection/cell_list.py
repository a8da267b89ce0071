"""A list of hexagons in a text file."""

from __future__ import annotations

from pathlib import Path

from core.hats.cells import parse_cell
from core.read.input_files import unreadable_as_input_error
from core.system.regular_files import read_regular


def read_cells(path: Path, resolution: int) -> tuple[int, ...]:
    """Cells from a text file, one a line; a header `h3_cell` and lines with # are passed over."""
    with unreadable_as_input_error(path):
        lines = read_regular(path).decode("utf-8", "replace").splitlines()
    cells = set()
    for number, line in enumerate(lines, start=1):
        text = line.split("#")[0].split(",")[0].strip()
        if text and text != "h3_cell":
            cells.add(parse_cell(text, resolution, where=f"{path}, line {number}"))
    return tuple(sorted(cells))
