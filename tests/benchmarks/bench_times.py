"""Times of text, form by form, beside Arrow's plain cast of ISO 8601 in the same run.

    python -m tests.benchmarks.bench_times [CELLS]

Arrow's cast is the fastest reader of a column at hand, but it reads a few ISO forms alone, nothing at all
of a column with one bad cell, and tells neither offsets nor which cells are bad. What `parse_times` takes
beyond it is the price of that.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.clean.read_times import MISSING
from core.clean.times import parse_times
from core.read.file_format import FileFormat

_CELLS = 5_000_000
_BATCH = 250_000
_RUNS = 3


def columns(cells: int) -> dict[str, tuple[pa.Array, str]]:
    """Name -> (cells, order of day and month) of random moments within some years."""
    rng = np.random.default_rng(1)
    moment = pa.array(rng.integers(1_600_000_000, 1_700_000_000, cells), pa.timestamp("s"))

    def text(form: str, ending: str = "") -> pa.Array:
        return pc.binary_join_element_wise(pc.strftime(moment, form), ending, "")

    iso, iso_t = text("%Y-%m-%d %H:%M:%S"), "%Y-%m-%dT%H:%M:%S"
    in_summer = pc.greater(pc.month(moment), 6)
    return {
        "ISO 8601": (iso, ""),
        "one offset": (text(iso_t, "+05:30"), ""),
        "two offsets": (pc.if_else(in_summer, text(iso_t, "-05:00"), text(iso_t, "-06:00")), ""),
        "microseconds, Z": (text(iso_t, ".123456Z"), ""),
        "one cell of 1000 blank": (pc.if_else(pa.array(np.arange(cells) % 1000 == 0), "", iso), ""),
        "blank before UTC": (text("%Y-%m-%d %H:%M:%S", " UTC"), ""),
        "basic": (text("%Y%m%dT%H%M%S", "Z"), ""),
        "day first": (text("%d/%m/%Y %H:%M:%S"), "dmy"),
        "day first, named mdy": (text("%d/%m/%Y %H:%M:%S"), "mdy"),
        "day first, AM and PM": (text("%d/%m/%Y %I:%M:%S %p"), "dmy"),
        "RFC 2822": (text("%a, %d %b %Y %H:%M:%S", " +0000"), ""),
        "epoch seconds": (moment.cast(pa.int64()).cast(pa.string()), ""),
        "no times": (text("noon of %d"), ""),
    }


def seconds(work: Callable[[pa.Array], object], column: pa.Array) -> float:
    """Processor seconds, the least of some runs, over batches as files are read in."""
    took = []
    for _ in range(_RUNS):
        start = time.process_time()
        for first in range(0, len(column), _BATCH):
            work(column.slice(first, _BATCH))
        took.append(time.process_time() - start)
    return min(took)


def main() -> None:
    cells = int(sys.argv[1]) if len(sys.argv) > 1 else _CELLS
    print(f"{cells:,} cells in batches of {_BATCH:,}, load {os.getloadavg()[0]:.1f}")
    written = columns(cells)
    plain = seconds(lambda batch: batch.cast(pa.timestamp("ms")), written["ISO 8601"][0])
    print(f"{'plain cast of ISO 8601':>24}: {plain:6.3f} s")
    for name, (column, order) in written.items():
        named = FileFormat(date_order=order)
        took = seconds(lambda batch, named=named: parse_times(batch, named), column)
        read = np.count_nonzero(parse_times(column, named).instants != MISSING) / cells
        print(
            f"{name:>24}: {took:6.3f} s, {took / plain:5.1f} x the plain cast, {read:6.1%} read", flush=True
        )


if __name__ == "__main__":
    main()
