"""The times of a preview's rows as text, whether they stand in one column or in two. Confidential."""

from __future__ import annotations

import pyarrow as pa

from core.clean.split_times import joined_times
from core.read.preview_rows import Preview, as_text


def time_cells(preview: Preview, time: str, date: str = "") -> list[str]:
    """The cells of the column `time`; with those of `date` before them where that is a separate column.

    Joined as a load joins them: empty where one of the two is.
    """
    cells = preview.column(time)
    if not date:
        return cells
    joined = joined_times(pa.array(preview.column(date), pa.string()), pa.array(cells, pa.string()), time)
    return [as_text(cell) for cell in joined.to_pylist()]
