"""Rows from all over the files, where the first rows leave the order of day and month open. Confidential.

The first rows of a log are often of one day, and 10/03/2025 may be March or October; further down, or in the
file of another day, a 14/03/2025 tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.assist.column_guesses import find_columns
from core.assist.number_date_notation import date_order
from core.assist.random_rows import random_rows_of
from core.assist.time_cells import time_cells
from core.read.file_format import AS_FOUND, FileFormat
from core.read.preview_rows import Preview


def spread_rows(
    path: Path, preview: Preview, file_format: FileFormat = AS_FOUND, *, others: Sequence[Path] = ()
) -> Preview | None:
    """Random rows under the preview's names; None where the first rows tell all, or hold no times.

    others: files that are read alike; a load reports those of no use. Raises InputError where the
    first file is of none.
    """
    found = find_columns(preview)
    if "time" not in found:
        return None
    date = found["date"].column if "date" in found else ""
    order = date_order(time_cells(preview, found["time"].column, date))
    if order.choice is not None or order.contradictory:
        return None
    return random_rows_of((path, *others), preview.columns, file_format).preview
