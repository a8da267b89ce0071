"""What the two programs of `bench_engine.py` share: steps, window, clock, and figures to agree on."""

from __future__ import annotations

import datetime as dt
import json
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

ZONE = "Asia/Kolkata"
FIRST_DATE, DAYS = dt.date(2022, 1, 3), 31
UPPER_KMH, PHYSICAL_MAX_KMH, LIMIT_KMH = 65, 200, 50
M_UB = 50

LOAD, QUERIES, OTHER_SLOT, OTHER_HOURS, OTHER_M_UB = "load", "queries", "slot", "hours", "m_UB"
RESOLUTION, SLOT_MINUTES, HOURS = 7, 60, (9, 21)
RESOLUTIONS = (5, 6, 7, 8, 9, 10)
OTHER_RESOLUTIONS = tuple(one for one in RESOLUTIONS if one != RESOLUTION)
SHORT_SLOT, LONG_HOURS = 30, (7, 22)


def resolution_step(resolution: int, again: bool = False) -> str:
    return f"resolution {resolution}{' again' if again else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadFigures:
    """Clean records, as sums that no order of rows changes."""

    records: int
    vehicles: int
    values: int
    """Sum, thousandths of km/h."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFigures:
    """The contribution table by (HAT, vehicle, day), and both queries of the technical report."""

    hats: int
    rows: int
    records: int
    values: int
    """Sum, thousandths of km/h."""
    query1: float
    """Sum over all HATs of the mean of pair means, km/h, to 1e-6."""
    query2: int
    """Pairs whose maximum is above 50 km/h, all HATs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundFigures:
    """The first m_UB records of every (HAT, vehicle), packed by WrapAround."""

    retained: int
    values: int
    """Sum, thousandths of km/h."""
    arrays: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFigures:
    """Of a state's table and its release; 0 where a step has no such number."""

    rows: int = 0
    hats: int = 0
    values: int = 0
    bytes: int = 0
    failed: int = 0
    """Checks of the bundle."""


Figures = LoadFigures | QueryFigures | BoundFigures | StateFigures


def tell(step: str, work: Callable[[], Figures]) -> None:
    """Do a step and print a line of JSON: when, processor seconds, peak GiB, and figures."""
    _forget_peak()
    begin, own = time.monotonic(), time.process_time()
    figures = work()
    end, own = time.monotonic(), time.process_time() - own
    line = {"step": step, "begin": begin, "end": end, "own": own, "peak": peak_gib()}
    print(json.dumps({**line, "figures": asdict(figures)}), flush=True)


def peak_gib() -> float:
    """Largest resident memory since the step began, mapped pages included."""
    unit = 2**30 if sys.platform == "darwin" else 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _forget_peak() -> None:
    """Linux lets a process set its peak back; elsewhere a peak is that of all steps so far."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
