"""Pages of mapped columns are given back once a pass over the records is done with them (architecture 3)."""

from __future__ import annotations

import mmap
from typing import Any

from numpy.typing import NDArray


def let_go(part: slice, *columns: NDArray[Any]) -> None:
    """Let the system take back the pages of a part of each column; who uses them again gets them again.

    part: first and last + 1 of its entries. So resident memory does not grow with the records. Nothing
    happens to columns in memory, to slices of mapped ones, and where the system has no such call.
    """
    for column in columns:
        mapped = column.base.obj if isinstance(column.base, memoryview) else None
        if isinstance(mapped, mmap.mmap) and hasattr(mapped, "madvise"):
            first = part.start * column.itemsize // mmap.PAGESIZE * mmap.PAGESIZE
            last = min(part.stop * column.itemsize, len(mapped))
            if first < last:
                mapped.madvise(mmap.MADV_DONTNEED, first, last - first)
