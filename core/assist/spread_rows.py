"""Rows from all over a file, where its first rows leave the order of day and month open. Confidential.

The first rows of a log are often of one day, and 10/03/2025 may be March or October; further down a
14/03/2025 tells.
"""

from __future__ import annotations

from pathlib import Path

from core.assist.column_guesses import find_columns
from core.assist.number_date_notation import date_order
from core.assist.random_rows import random_rows
from core.read.file_format import AS_FOUND, FileFormat
from core.read.preview_rows import Preview


def spread_rows(path: Path, preview: Preview, file_format: FileFormat = AS_FOUND) -> Preview | None:
    """Random rows under the preview's names; None where the first rows tell all, or hold no times.

    Raises InputError for an unusable file.
    """
    time = find_columns(preview).get("time")
    if time is None:
        return None
    told = date_order(preview.column(time.column))
    if told.choice is not None or told.contradictory:
        return None
    return random_rows(path, preview.columns, file_format).preview
