"""What shares and percentiles of real cities miss, and whether their intervals are true (city-release 14).

Run by hand: `python -m tests.benchmarks.bench_shares [--cities day,all,surat,bangkok,sample] [--draws 2]`.
With `--mean` it is the mean that follows from shares at the proposed edges, at a total of 100 too. Otherwise,
of the share below 10 km/h and above 40, each asked for alone, and of percentiles 15, 50 and 85 at the
proposed edges, at totals of 10 and 30, with a delta and without: the median over hexagon slots of the mean
absolute true error, and beside it that of statistic `cdf` (13 bins) at the same total.
Foretold over true is of means over the hexagon slots: a few err most; foretold is nearly the same for all.
"""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise, product

import numpy as np

from core.accounting.budgets import Budget
from core.advice.smoothed import expected_error, smooth_rows
from core.arrays import Floats
from core.contributions import EVALUATION_TIE_KEY, Contributions, contributions_of, pairs_of, users_of
from core.contributions.users import UserTable
from core.hats.record_dates import date_ranges_of
from core.hats.window import build_window
from core.noise.single_trial import SingleTrial
from core.planning.counted_city import CountedCity
from core.planning.joint_shares import JointShares
from core.planning.query_plan import DrawnRows, Query
from core.planning.values_query import ValuesPlan, plan_query
from core.privacy import Unit
from core.selection.base import SelectionRequest
from core.selection.hat import RULE
from core.shares.mean_of_shares import hidden_by_ranges, mean_half_widths, middles_of
from core.shares.share_draw import atom_counts, draw_shares
from core.shares.share_plan import reach_in_deviations
from core.statistics.base import AnyQuestion
from core.statistics.question import question_of
from core.statistics.ranges import proposed_edges
from core.statistics.registry import require_statistic
from core.statistics.share import MEAN_LABEL, STATISTIC
from tests.benchmarks.cities import SAMPLE, records_of

DELTA = Decimal("1e-6")
DELTAS = (DELTA, Decimal(0))
CDF_BINS = 13
TOTALS = (Decimal(10), Decimal(30))
RANGES = {"below 10": ((0.0, 10.0),), "above 40": ((40.0, 65.0),)}
PERCENTILES = (15.0, 50.0, 85.0)
EDGES = ("proposed", (0, 1, 30, 65), (0, 1, 10, 40, 65), (0, 1, *range(5, 70, 5)), tuple(range(0, 70, 5)))
"""Of ranges that a mean follows from; of the last ones none is published."""
SUNDAY = (dt.date(2015, 9, 6), dt.date(2015, 9, 6))
CITIES = {
    "day": ("Austin", 8, 10, (SUNDAY,)),
    "all": ("Austin", 8, 20, None),
    "surat": ("Surat", 7, 5, None),
    "bangkok": ("Bangkok", 7, 5, None),
    "sample": (SAMPLE, 6, 5, None),
}
"""Name, resolution, fewest vehicles of a hexagon slot, dates."""


class _Noise:
    """Of one simulated release."""

    def __init__(self, seed: int) -> None:
        self._noise = SingleTrial(seed)

    def scope(self, _name: str) -> SingleTrial:
        return self._noise


def planned(
    table: Contributions,
    users: UserTable,
    least: int,
    total: Decimal,
    parameters: dict[str, object],
    delta: Decimal = DELTA,
) -> JointShares:
    """Of all hexagon slots with so many vehicles."""
    plan = _planned(table, users, least, total, question_of(STATISTIC, None, parameters), delta)
    assert isinstance(plan, JointShares)
    return plan


def _planned(
    table: Contributions, users: UserTable, least: int, total: Decimal, question: AnyQuestion, delta: Decimal
) -> ValuesPlan:
    return plan_query(
        CountedCity(
            table,
            users,
            RULE.select(table, SelectionRequest(rule=RULE.key, threshold=0)),
            minimum_vehicles=least,
            delta=delta,
        ),
        Query(id="q", question=question, budget=Budget(total=total)),
    )


def cdf_numbers(
    table: Contributions, users: UserTable, least: int, hats: list[int], total: Decimal, delta: Decimal
) -> dict[str, Floats]:
    """Statistic `cdf` at the same total in the same hexagon slots: one release, by what is asked."""
    parameters = {"bins": CDF_BINS, "weights": "records"}
    question = question_of(require_statistic("cdf"), None, parameters)
    other = _planned(table, users, least, total, question, delta)
    pairs, edges = pairs_of(table), np.linspace(0.0, table.upper_bound / 1000, CDF_BINS + 1)
    drawn = other.draw(table, users, pairs, b"", _Noise(0))
    by_index = {hat.index: row for hat, row in zip(other.hats, drawn.rows, strict=True)}
    curve = np.array([[0.0, *(one.value / 1e6 for one in by_index[index])] for index in hats])
    return {
        "below 10": curve[:, [np.searchsorted(edges, 10.0)]],
        "above 40": 1.0 - curve[:, [np.searchsorted(edges, 40.0)]],
        "percentiles": np.array([[np.interp(one / 100, row, edges) for one in PERCENTILES] for row in curve]),
    }


def true_shares(plan: JointShares, users: UserTable) -> Floats:
    """Shape (G, J)."""
    pairs = plan.city.pairs
    counts = atom_counts(users, plan.city.columns(users.first.size - 1), plan.shares.ranges)
    inside = np.add.reduceat(counts @ plan.shares.ranges.members, pairs.starts)
    return np.asarray(inside / pairs.by_hat(pairs.records)[:, None], np.float64)


def true_percentiles(plan: JointShares, users: UserTable) -> Floats:
    """The least value that so many percent of the records do not exceed; km/h, shape (G, Q)."""
    rows = []
    for index in plan.city.hat_index.tolist():
        values = np.sort(users.hat_data(index).values)
        rows.append([values[max(0, int(np.ceil(one / 100 * values.size)) - 1)] for one in PERCENTILES])
    return np.array(rows) / 1000


def numbers(drawn: DrawnRows, plan: JointShares, measure: str, unit: float) -> Floats:
    """Value, low and high of a measure; shape (G, labels, 3), in the order of the plan's columns."""
    by_index = {hat.index: row for hat, row in zip(plan.hats, drawn.rows, strict=True)}
    return (
        np.array(
            [
                [
                    (one.value, one.low, one.high)
                    for one in by_index[index]
                    if one.measure == measure and one.label != MEAN_LABEL
                ]
                for index in plan.city.hat_index.tolist()
            ]
        )
        / unit
    )


def lines(city: str, draws: int) -> Iterator[str]:
    name, resolution, least, ranges = CITIES[city]
    records = records_of(name)
    window = build_window(ranges or date_ranges_of(records), ("00:00", "24:00"), 60)
    table = contributions_of(records, resolution, window)
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    edges = proposed_edges(0, table.upper_bound)
    asked = [(title, {"ranges": listed}) for title, listed in RANGES.items()]
    asked.append(("percentiles", {"ranges": tuple(pairwise(edges)), "percentiles": PERCENTILES}))
    beside: dict[tuple[Decimal, Decimal], dict[str, Floats]] = {}
    for title, parameters in asked:
        for total, delta in product(TOTALS, DELTAS):
            plan = planned(table, users, least, total, parameters, delta)
            hats = plan.city.hat_index.tolist()
            if (total, delta) not in beside:
                beside[total, delta] = cdf_numbers(table, users, least, hats, total, delta)
            of_values = title == "percentiles"
            names = ("speed_kmh", "speed_smoothed_kmh") if of_values else ("share", "share_smoothed")
            truth = true_percentiles(plan, users) if of_values else true_shares(plan, users)
            found: dict[str, list[Floats]] = {one: [] for one in names}
            for seed in range(draws):
                drawn = plan.draw(table, users, None, b"", _Noise(seed))  # type: ignore[arg-type]
                rows = DrawnRows(rows=smooth_rows(plan, drawn).rows)
                for one in names:
                    found[one].append(numbers(rows, plan, one, 1e3 if of_values else 1e6))
            cells = []
            for one in names:
                value, low, high = np.moveaxis(np.array(found[one]), -1, 0)
                error = np.median(np.abs(value - truth).mean(axis=0), axis=0)
                held = ((low <= truth + 1e-9) & (truth <= high + 1e-9)).mean(axis=(0, 1))
                cells += [", ".join(f"{each:.3g}" for each in error)]
                cells += [", ".join(f"{100 * each:.1f} %" for each in held)]
            foretold, curve = "", beside[total, delta][title]
            if not of_values:
                expected, true = expected_error(plan), np.abs(value - truth).mean(axis=0)
                foretold = f"{float(np.median(expected)):.3f}, {float(expected.mean() / true.mean()):.2f}"
            cells += [foretold, ", ".join(f"{one:.3g}" for one in np.median(np.abs(curve - truth), axis=0))]
            given = f"{total}, {plan.city.noise.value}{'' if delta else ', no delta'}"
            yield f"| {city}, {plan.city.pairs.hats:,} | {title} | {given} | {' | '.join(cells)} |"


def mean_lines(city: str, draws: int) -> Iterator[str]:
    """Error of the mean from shares, and how often intervals hold: without what ranges hide, and with it.

    Of ranges by each set of edges; without any noise at the end.
    """
    name, resolution, least, ranges = CITIES[city]
    records = records_of(name)
    window = build_window(ranges or date_ranges_of(records), ("00:00", "24:00"), 60)
    table = contributions_of(records, resolution, window)
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    for listed in EDGES:
        edges = proposed_edges(0, table.upper_bound) if isinstance(listed, str) else listed
        for total in (*TOTALS, Decimal(100)) if isinstance(listed, str) else (Decimal(30),):
            plan = planned(table, users, least, total, {"ranges": tuple(pairwise(edges))})
            shares, column = plan.shares, plan.city.columns(users.first.size - 1)
            counts, middles = atom_counts(users, column, shares.ranges), middles_of(shares.ranges)
            truth = np.array([users.hat_data(hat).values.mean() for hat in plan.city.hat_index.tolist()])
            away = np.abs(true_shares(plan, users) @ middles - truth)
            drawn = np.array(
                [draw_shares(shares, counts, SingleTrial(seed)).unclamped @ middles for seed in range(draws)]
            )
            hidden, (_, reach) = (
                hidden_by_ranges(shares.ranges),
                reach_in_deviations(gaussian=plan.city.noise.squared, tile=True),
            )
            half = mean_half_widths(shares)
            without = np.sqrt(half**2 - (reach * hidden) ** 2)
            off = np.abs(drawn - truth)
            cells = [
                f"{np.median(np.abs(drawn.clip(0.0, table.upper_bound) - truth).mean(axis=0)) / 1000:.3g}",
                f"{away.mean() / 1000:.2f}",
                f"{hidden / 1000:.2f}",
                *(f"{100 * (off <= one).mean():.1f} %" for one in (without, half)),
                f"{100 * (away <= 1.96 * hidden).mean():.1f} %",
            ]
            named = listed if isinstance(listed, str) else ", ".join(f"{edge:g}" for edge in edges)
            yield f"| {city}, {truth.size:,} | {named} | {total}, {plan.city.noise.value} | " + (
                " | ".join(cells) + " |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", default=",".join(CITIES))
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--mean", action="store_true")
    given = parser.parse_args()
    if given.mean:
        print(
            "| city, hexagon slots | edges | total, noise | error | ranges hide | as planned | holds without "
            "| holds | holds without noise |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for city in given.cities.split(","):
            for line in mean_lines(city, given.draws):
                print(line, flush=True)
        return
    print(
        "| city, hexagon slots | asked | total, noise | raw | holds | smoothed | holds | foretold, over "
        "| cdf |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for city in given.cities.split(","):
        for line in lines(city, given.draws):
            print(line, flush=True)


if __name__ == "__main__":
    main()
