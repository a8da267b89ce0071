"""Whether gaps between records are at a fixed rate of so many seconds, or records are events (method 4).

Pings of a vehicle on its way lie a usual time apart; between events, such as the ends of trips, no time is
usual. Over the first 200 rows of real feeds of buses and ambulances 38 % of the gaps and more are about the
commonest one, of taxis' trip ends 14 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.assist.number_date_notation import Evidence
from core.clean.mapping import EVENTS, REGULAR
from core.clean.read_times import MISSING
from core.clean.split_times import joined_times
from core.clean.times import parse_times
from core.clean.vehicle_ids import parse_ids
from core.read.file_batches import file_batches
from core.read.file_format import FileFormat
from core.texts import text_of

USUAL = 0.25
"""Share of the gaps that must be about the commonest one."""
FEWEST = 30
"""Gaps between records that it takes to tell a fixed rate."""
_ABOUT = 1.1
"""Gaps between records up to this factor apart, and a second for rounding, count as the same."""
_SECOND = 1000
_MOSTLY = 0.5
_MOST_ROWS = 20_000
_UNCLEAR = "too few times to tell"


def spacing_of(vehicles: Sequence[str], times: Sequence[str], file_format: FileFormat) -> Evidence:
    """What rows tell, in whatever order; cells of shape (n,)."""
    return _judged(_gaps(pa.array(vehicles, pa.string()), pa.array(times, pa.string()), file_format))


def spacing_in(path: Path, vehicle: str, time: str, file_format: FileFormat, *, date: str = "") -> Evidence:
    """What the beginning of a file tells; date: where it has its own column."""
    gaps: list[NDArray[np.int64]] = []
    rows = 0
    columns = tuple(dict.fromkeys(name for name in (vehicle, time, date) if name))
    for batch in file_batches(path, columns, file_format):
        table = batch.table.slice(0, _MOST_ROWS - rows)
        rows += table.num_rows
        vehicles, times = (table.column(name).combine_chunks() for name in (vehicle, time))
        try:
            if date:
                times = joined_times(table.column(date).combine_chunks(), times, time)
            gaps.append(_gaps(vehicles, times, file_format))
        except pa.ArrowException:  # no ids, or no times: the reader of the columns says so
            break
        if rows >= _MOST_ROWS:
            break
    return _judged(np.concatenate([np.zeros(0, np.int64), *gaps]))


def _judged(gaps: NDArray[np.int64]) -> Evidence:
    if gaps.size < FEWEST:
        return Evidence(choice=None, reason=_UNCLEAR)
    gaps = np.sort(gaps)
    near = np.searchsorted(gaps, gaps * _ABOUT + _SECOND, side="right") - np.arange(gaps.size)
    most = int(near.argmax())
    share = float(near[most] / gaps.size)
    if share < USUAL:
        return Evidence(choice=EVENTS, reason="first rows: spaced at no fixed rate")
    middle = float(np.median(gaps[most : most + near[most]])) / _SECOND
    often = "mostly" if share > _MOSTLY else "often"
    return Evidence(
        choice=REGULAR,
        reason=text_of("first rows: {often} every {middle} s", often=often, middle=f"{middle:.0f}"),
    )


def _gaps(vehicles: pa.Array, times: pa.Array, file_format: FileFormat) -> NDArray[np.int64]:
    """Milliseconds between consecutive records of each vehicle, without repeats of an instant."""
    vehicle = parse_ids(vehicles).indices.fill_null(-1).to_numpy(zero_copy_only=False)
    instant = parse_times(times, file_format).instants
    known = (vehicle >= 0) & (instant != MISSING)
    vehicle, instant = vehicle[known], instant[known]
    order = np.lexsort((instant, vehicle))
    vehicle, instant = vehicle[order], instant[order]
    gaps: NDArray[np.int64] = np.diff(instant)[vehicle[1:] == vehicle[:-1]]
    return gaps[gaps > 0]
