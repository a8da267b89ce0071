"""Two releases of a made-up city, a year apart: some of its hexagons have become slower, a few faster."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from pathlib import Path

import h3
import numpy as np

from core.bundle.release_result import SUPPRESSED, HatRow
from core.release_texts import ReleaseTexts
from tests.builders import make_bundle, make_query, make_release, make_row, make_texts

CENTRE = h3.latlng_to_cell(30.27, -97.74, 7)
HOURS = (9, 10)
_HALF = 3_000
"""Half-width of every interval, thousandths of km/h."""


def write_pair(
    folder: Path, *, rings: int = 4, first: str = "bus-speed-2023", **texts: str
) -> tuple[Path, Path]:
    """Folders of the earlier and the later bundle, signed by one key; rings: of hexagons."""
    return (
        _bundle(folder, make_texts(name=first, **texts), 2023, rings),
        _bundle(folder, make_texts(name=first.replace("2023", "2024"), **texts), 2024, rings),
    )


def _bundle(folder: Path, texts: ReleaseTexts, year: int, rings: int) -> Path:
    rng = np.random.default_rng(year)
    rows = [
        _row(cell, hour, year, rng.laplace(0.0, _HALF / math.log(20.0)))
        for cell in sorted(h3.grid_disk(CENTRE, rings))
        for hour in HOURS
    ]
    first = dt.date(year, 3, 1)
    release = make_release(queries=(make_query(rows=tuple(rows)),), date_ranges=((first, first),))
    return make_bundle(folder, release, texts)


def _row(cell: str, hour: int, year: int, noise: float) -> HatRow:
    """Slower by 9 km/h north of the middle, faster by 8 in one corner; some are in one release alone."""
    latitude, longitude = h3.cell_to_latlng(cell)
    north, east = latitude - 30.27, longitude + 97.74
    if (year == 2023 and east > 0.09) or (year == 2024 and east < -0.09) or north < -0.075:
        slot = f"{hour:02d}:00", f"{hour + 1:02d}:00"
        return HatRow(cell=cell, slot_start=slot[0], slot_end=slot[1], status=SUPPRESSED, epsilon=Decimal(0))
    change = 0 if year == 2023 else -9_000 if north > 0.035 else 8_000 if north + east < -0.07 else 0
    value = round(30_000 + 150_000 * abs(east) + change + noise)
    return make_row(cell, hour, mean=value, low=value - _HALF, high=value + _HALF, bias_bound=500)
