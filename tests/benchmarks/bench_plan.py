"""How long it takes to say what a city costs: the total for an error, and the grids (city-release 12).

Run by hand: `python -m tests.benchmarks.bench_plan`. On one day and on all days of the Austin buses
(resolution 8, hours of the whole day). Records are loaded and counted before the clock starts, as they are
in the window; grids that the list looks at besides are counted within it.

The total for the worst HAT is told as soon as it is found and then held against whole plans, which takes
longer than two seconds on all days: the table shows both answers, and how far the first one was off.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.advice.accuracy_first import budget_for_error
from core.advice.city_advice import advise_city
from core.contributions import EVALUATION_TIE_KEY, contributions_of, users_of
from core.hats.record_dates import date_ranges_of
from core.hats.window import DateRange, build_window
from core.mechanisms.registry import mechanisms_of
from core.planning.city_accuracy import ErrorGoal
from core.planning.counted_city import CountedCity
from core.planning.query_plan import Query
from core.privacy import Relation, Unit
from core.progress import Progress
from core.records.records import Records
from core.selection.base import SelectionRequest
from core.selection.registry import select
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from tests.benchmarks.cities import records_of

RESOLUTION, MINIMUM_VEHICLES = 8, 20
WANTED_KMH = {ErrorGoal.MEDIAN: (2.0,), ErrorGoal.WORST: (4.0, 6.0, 10.0, 15.0, 20.0)}
DELTA = Decimal("1e-6")
SECONDS = 2.0
MOST_OFF = 0.15
"""Of the last answer: what the first one may lie beside it, where the last is not there in time."""
UNCONFIRMED = re.compile(r"Probably epsilon (\S+); checking")


@dataclass(frozen=True)
class Answer:
    """What was told, and how long after the question; seconds by the clock, and of the processor."""

    told: str
    seconds: float
    processor: float

    def __str__(self) -> str:
        return f"{self.told} after {self.seconds:.2f} ({self.processor:.2f})"

    @property
    def in_time(self) -> bool:
        """By the smaller of both, as other programs may take the processor away."""
        return min(self.seconds, self.processor) < SECONDS


def answers(work: Callable[[Progress], str]) -> tuple[Answer, Answer]:
    """The first one, yet to be confirmed, and the last; the same where nothing had to be confirmed."""
    clock, own = time.perf_counter(), time.process_time()
    first: list[Answer] = []

    def now(told: str) -> Answer:
        return Answer(told, time.perf_counter() - clock, time.process_time() - own)

    def watch(_: float, text: str = "") -> None:
        if not first and (unconfirmed := UNCONFIRMED.search(text)):
            first.append(now(unconfirmed[1]))

    last = now(work(watch))
    return (first or [last])[0], last


def row(title: str, first: Answer, last: Answer) -> bool:
    """Print it; whether the last answer is there in time, or one that is near it."""
    off = abs(float(first.told) / float(last.told) - 1.0)
    good = last.in_time or (first.in_time and off <= MOST_OFF)
    print(
        "|",
        " | ".join((title, str(first), str(last), f"{off:.0%}", "met" if good else "MISSED")),
        "|",
        flush=True,
    )
    return good


def bench(records: Records, dates: tuple[DateRange, ...]) -> bool:
    """Print the table of one release; whether every row of it is met."""
    window = build_window(dates, ("00:00", "24:00"), 60)
    table = contributions_of(records, RESOLUTION, window)
    users, request = (
        users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY),
        SelectionRequest(rule="hat", threshold=1),
    )
    selection = select(table, request)
    tokens = next(one for one in mechanisms_of(Relation.VALUES).values() if one.joint)
    query = Query(
        id="mean",
        question=question_of(require_statistic("mean"), tokens, {}),
        budget=Budget(total=Decimal(50)),
    )

    def total(progress: Progress, wanted: float, goal: ErrorGoal, *, smoothed: bool, delta: Decimal) -> str:
        found = budget_for_error(
            CountedCity(table, users, selection, minimum_vehicles=MINIMUM_VEHICLES, delta=delta),
            query,
            wanted,
            goal=goal,
            smoothed=smoothed,
            progress=progress,
        ).budget
        assert found.total is not None
        return plain(found.total)

    def ranked(progress: Progress) -> str:
        advice = advise_city(
            lambda resolution, window: contributions_of(records, resolution, window),
            RESOLUTION,
            window,
            request,
            query,
            unit=Unit.VEHICLE,
            minimum_vehicles=MINIMUM_VEHICLES,
            delta=DELTA,
            progress=progress,
        )
        return str(len(advice.grids))

    print(f"{window.days} days, {table.hats:,} HATs, {users.vehicle.size:,} pairs")
    print("| question | answered after seconds (CPU) | last answer | off | |")
    print("| --- | --- | --- | --- | --- |")
    held = [
        row(
            f"total for {wanted:g} km/h in the {goal.value} HAT, {'smoothed' if smoothed else 'raw'}, "
            f"delta {delta}",
            *answers(partial(total, wanted=wanted, goal=goal, smoothed=smoothed, delta=delta)),
        )
        for goal, errors in WANTED_KMH.items()
        for smoothed in (False, True)
        for delta in (Decimal(0), DELTA)
        for wanted in errors
    ]
    held.append(row("rows of the list of grids at a total of 50", *answers(ranked)))
    return all(held)


def main() -> None:
    records = records_of("Austin")
    every = date_ranges_of(records)
    first = every[0][0]
    held = [bench(records, dates) for dates in (((first, first),), every)]
    raise SystemExit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
