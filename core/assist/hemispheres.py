"""Latitudes and longitudes without a sign, beside a column that says on which side of the world they lie."""

from __future__ import annotations

import re

from core.assist.column_names import plain_name
from core.assist.number_date_notation import NUMBER_LIKE
from core.read.preview_rows import Preview

_SIDES = (("NS", re.compile("^ns|ns$|lat|hemi")), ("EW", re.compile("^ew|ew$|lon|lng|hemi")))
"""Letters of the cells, and what the plain name of their column has: that of a direction has none of it."""
_NEAR_ZERO = re.compile(r"\+?0*[01]?(?![0-9])")
"""Degrees beside the equator or Greenwich: further rows may lie on the other side."""


def hemisphere_column(preview: Preview, latitude: str, longitude: str) -> str:
    """The column by which coordinates lie south or west, or may; empty where there is none."""
    for (letters, named), axis in zip(_SIDES, (latitude, longitude), strict=True):
        numbers = _cells(preview, axis)
        if any(cell.startswith("-") or not NUMBER_LIKE.fullmatch(cell) for cell in numbers):
            continue
        near = any(map(_NEAR_ZERO.match, numbers))
        for column in preview.columns:
            sides = set(_cells(preview, column)) if named.search(plain_name(column)) else set()
            if sides and sides <= set(letters) and (near or letters[1] in sides):
                return column
    return ""


def _cells(preview: Preview, column: str) -> list[str]:
    return [cell.strip().upper() for cell in preview.column(column) if cell.strip()]
