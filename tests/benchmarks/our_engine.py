"""The steps of `plain_pandas.py` with Hexveil's engine. One line of JSON a step.

    python -m tests.benchmarks.our_engine FILE [--knobs] [--profile STEP ...]

A profiled step is told by the 15 functions that took longest by themselves.
"""

from __future__ import annotations

import argparse
import cProfile
import datetime as dt
import pstats
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np

from core.clean.mapping import ColumnMapping, ReadingRules
from core.contributions import (
    EVALUATION_TIE_KEY,
    Contributions,
    PairTable,
    contributions_of,
    pairs_of,
    users_of,
)
from core.fixed_point import THOUSAND
from core.grouping.m_ub import resolve_m_ub
from core.grouping.wraparound import wraparound
from core.hats.window import Window
from core.privacy import Unit
from core.store.load_records import Loaded, load_records
from tests.benchmarks.steps import (
    DAYS,
    FIRST_DATE,
    HOURS,
    LIMIT_KMH,
    LOAD,
    LONG_HOURS,
    M_UB,
    OTHER_HOURS,
    OTHER_M_UB,
    OTHER_RESOLUTIONS,
    OTHER_SLOT,
    PHYSICAL_MAX_KMH,
    QUERIES,
    RESOLUTION,
    RESOLUTIONS,
    SHORT_SLOT,
    SLOT_MINUTES,
    UPPER_KMH,
    ZONE,
    BoundFigures,
    Figures,
    LoadFigures,
    QueryFigures,
    resolution_step,
    tell,
)

RULES = ReadingRules(
    mapping=ColumnMapping(
        vehicle="license_plate",
        time="observationDateTime",
        value="speed",
        position="location.coordinates",
        physical_max=PHYSICAL_MAX_KMH * THOUSAND,
    ),
    zone=ZONE,
    upper_bound=UPPER_KMH * THOUSAND,
)
PROFILED = 15


def window_of(hours: tuple[int, int], slot_minutes: int) -> Window:
    last = FIRST_DATE + dt.timedelta(days=DAYS - 1)
    return Window(
        date_ranges=((FIRST_DATE, last),), start=hours[0] * 60, end=hours[1] * 60, slot_minutes=slot_minutes
    )


WINDOW = window_of(HOURS, SLOT_MINUTES)


def query_figures(contributions: Contributions, table: PairTable) -> QueryFigures:
    pairs, first = table.pairs, table.first
    means = np.add.reduceat(pairs.sums / pairs.counts, first[:-1]) / np.diff(first)
    return QueryFigures(
        hats=contributions.hats,
        rows=pairs.counts.size,
        records=int(pairs.counts.sum()),
        values=int(pairs.sums.sum()),
        query1=round(float(means.sum()) / THOUSAND, 6),
        query2=int((pairs.maxima > LIMIT_KMH * THOUSAND).sum()),
    )


def bounded(contributions: Contributions) -> BoundFigures:
    users = users_of(contributions, Unit.VEHICLE, EVALUATION_TIE_KEY)
    retained = values = arrays = 0
    for hat in range(contributions.hats):
        counts = users.hat_counts(hat)
        m_ub = resolve_m_ub(M_UB, counts, Decimal(1))
        arrays += wraparound(counts, m_ub).arrays
        first = users.hat_data(hat).first_records(m_ub)
        retained += int(first.counts.sum())
        values += int(first.sums().sum())
    return BoundFigures(retained=retained, values=values, arrays=arrays)


class Program:
    """What the window keeps from step to step."""

    loaded: Loaded
    contributions: Contributions

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> LoadFigures:
        self.loaded = load_records([self.path], RULES)
        records = self.loaded.records
        return LoadFigures(
            records=len(records),
            vehicles=len(records.vehicles),
            values=int(np.sum(records.value, dtype=np.int64)),
        )

    def queries(self) -> QueryFigures:
        return self.resolution(RESOLUTION)

    def resolution(self, resolution: int) -> QueryFigures:
        return self._answer(resolution, WINDOW)

    def slot(self) -> QueryFigures:
        return self._answer(RESOLUTION, replace(WINDOW, slot_minutes=SHORT_SLOT))

    def hours(self) -> QueryFigures:
        return self._answer(RESOLUTION, window_of(LONG_HOURS, SLOT_MINUTES))

    def m_ub(self) -> BoundFigures:
        return bounded(self.contributions)

    def _answer(self, resolution: int, window: Window) -> QueryFigures:
        contributions = contributions_of(self.loaded.records, resolution, window)
        if (resolution, window) == (RESOLUTION, WINDOW):
            self.contributions = contributions
        return query_figures(contributions, pairs_of(contributions))


def steps_of(program: Program, knobs: bool) -> dict[str, Callable[[], Figures]]:
    steps: dict[str, Callable[[], Figures]] = {LOAD: program.load, QUERIES: program.queries}
    if knobs:
        for again, resolutions in ((False, OTHER_RESOLUTIONS), (True, RESOLUTIONS)):
            for resolution in resolutions:
                steps[resolution_step(resolution, again)] = lambda at=resolution: program.resolution(at)
        steps |= {OTHER_SLOT: program.slot, OTHER_HOURS: program.hours, OTHER_M_UB: program.m_ub}
    return steps


def profile(step: str, work: Callable[[], Figures]) -> None:
    profiler = cProfile.Profile()
    profiler.runcall(work)
    print(f"-- {step}", flush=True)
    pstats.Stats(profiler, stream=sys.stdout).strip_dirs().sort_stats("tottime").print_stats(PROFILED)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--knobs", action="store_true")
    parser.add_argument("--load-only", action="store_true")
    parser.add_argument("--profile", nargs="+", default=[])
    options = parser.parse_args()
    program = Program(options.file)
    for step, work in steps_of(program, options.knobs).items():
        if step in options.profile:
            profile(step, work)
        elif options.profile:
            work()
        else:
            tell(step, work)
        if options.load_only:
            return


if __name__ == "__main__":
    main()
