"""Ways to spend one total of a whole city, tokens or regions, predicted and measured (method 10.7).

Predicted errors follow from public counts. Measured ones are of simulated releases against the true means,
and confidential.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from core.accounting.budgets import EQUAL, OPTIMAL_DIVISION, Budget
from core.accounting.epsilon_rounding import plain
from core.advice.smoothed import smooth_drawn, smoothing_facts
from core.arrays import Floats
from core.city.noise_kind import NoiseKind
from core.city.smoothing import predicted_error
from core.contributions import UserTable
from core.errors import InputError
from core.evaluate.true_statistics import true_mean
from core.fixed_point import THOUSAND
from core.grouping.suppression_field import SUPPRESS_USERS
from core.mechanisms.registry import all_mechanisms
from core.mechanisms.tokens import EXACT, SPLIT
from core.noise.simulated import SimulatedNoise
from core.noise.single_trial import SingleTrial
from core.planning.counted_city import CountedCity
from core.planning.query_plan import DrawnRows, Query
from core.planning.simulated_means import SimulatedDraws
from core.planning.values_query import ValuesPlan, plan_query
from core.privacy import Confidential
from core.progress import Progress, part, silent
from core.statistics.base import AnyStatistic
from core.statistics.question import question_of
from core.texts import joined, text_of

RELEASES = 20
"""Releases of a city that are simulated for each way to spend its total."""
SMOOTHED_RELEASES = 4
"""Of the simulated releases of a city, those that are smoothed: it takes far longer than drawing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CityMethod:
    """One way to spend a total."""

    key: str
    title: str
    mechanism: str
    parameters: tuple[tuple[str, Any], ...] = ()
    divide: str = EQUAL
    gaussian: bool = False
    """Needs a delta."""

    @property
    def of_hexagons(self) -> bool:
        """Needs places that are hexagons of one resolution."""
        return not {"zoom", "regions"}.isdisjoint(name for name, _ in self.parameters)

    def query(self, statistic: AnyStatistic, total: Decimal) -> Query:
        """Raises InputError for parameters that the mechanism does not have."""
        mechanism = all_mechanisms()[self.mechanism]
        return Query(
            id=self.key,
            question=question_of(statistic, mechanism, dict(self.parameters)),
            budget=Budget(total=total, divide=self.divide),
        )


def _tokens(key: str, title: str, mode: str, noise: NoiseKind, *, zoom: bool = False) -> CityMethod:
    more = (("zoom", True),) if zoom else ()
    return CityMethod(
        key=key,
        title=joined(", ", (title, "Gaussian" if noise.squared else "Laplace")),
        mechanism="tokens",
        parameters=(("mode", mode), ("noise", noise.value), *more),
        gaussian=noise.squared,
    )


METHODS = (
    CityMethod(key="equal-mean", title="equal budgets, plain mean", mechanism="baseline"),
    CityMethod(key="equal-arrays", title="equal budgets, Array-Averaging", mechanism="array-averaging"),
    CityMethod(
        key="optimal-mean",
        title="optimal budgets, plain mean",
        mechanism="baseline",
        divide=OPTIMAL_DIVISION,
    ),
    CityMethod(
        key="suppression",
        title="suppression, Array-Averaging",
        mechanism="array-averaging",
        parameters=((SUPPRESS_USERS, True),),
    ),
    _tokens("tokens-laplace", "tokens exact", EXACT, NoiseKind.LAPLACE),
    _tokens("tokens-gauss", "tokens exact", EXACT, NoiseKind.GAUSS),
    _tokens("split-laplace", "tokens split", SPLIT, NoiseKind.LAPLACE),
    _tokens("split-gauss", "tokens split", SPLIT, NoiseKind.GAUSS),
    _tokens("zoom-gauss", "tokens split and zoom", SPLIT, NoiseKind.GAUSS, zoom=True),
    CityMethod(
        key="regions",
        title="regions promising an error of 2, as a map",
        mechanism="tokens",
        parameters=(("regions", True), ("noise", NoiseKind.LAPLACE.value)),
    ),
)
"""In the order in which they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CityErrors(Confidential):
    """One method at one total; in the value's unit, over the published HATs."""

    method: CityMethod
    smoothed: bool
    total: Decimal
    hats: int
    predicted: float
    """Typical error of the median HAT, from public counts; of regions that of their number for the HAT."""
    median: float | None
    """Over HATs, of the mean absolute true error; None where nothing was measured."""
    mean: float | None
    releases: int

    def to_json(self) -> dict[str, Any]:
        """The keys of `evaluate --city --json`."""
        return {
            "method": self.method.key,
            "smoothed": self.smoothed,
            "total": plain(self.total),
            "hats": self.hats,
            "predicted": self.predicted,
            "mae_median": self.median,
            "mae_mean": self.mean,
            "releases": self.releases,
        }


def methods_for(delta: Decimal, keys: Sequence[str] | None = None, *, where: str) -> tuple[CityMethod, ...]:
    """Those that may be used at this delta, or some of them. Raises InputError for an unknown key."""
    known = {one.key: one for one in METHODS}
    unknown = [key for key in keys or () if key not in known]
    if unknown:
        raise InputError(
            "There is no method {unknown}.",
            unknown=f"{unknown[0]!r}",
            where=where,
            mend=text_of("write some of {known}", known=",".join(known)),
        )
    return tuple(
        one for one in METHODS if (keys is None or one.key in keys) and (delta > 0 or not one.gaussian)
    )


def compare_city(
    city: CountedCity,
    statistic: AnyStatistic,
    totals: Sequence[Decimal],
    methods: Sequence[CityMethod],
    *,
    releases: int = 0,
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[CityErrors, ...]:
    """Every method at every total, raw and smoothed; what a total cannot buy, or these places cannot have,
    is left out.

    releases: how many to simulate; 0 measures nothing and reads no value. Raises what `progress` raises.
    """
    city, rows = city.cached(), list[CityErrors]()
    choice = city.contributions.choice
    alike = choice.hexagons and not choice.mixed
    tasks = [(total, method) for total in totals for method in methods if alike or not method.of_hexagons]
    for number, (total, method) in enumerate(tasks):
        share = _titled(part(progress, number / len(tasks), (number + 1) / len(tasks)), method)
        share(0.0)
        try:
            plan = plan_query(city, method.query(statistic, total), part(share, 0.0, 0.3))
        except InputError:  # nothing is left for a HAT, or no noise of this kind is to be had
            continue
        rows.extend(_rows(method, total, plan, city.users, releases, seed, part(share, 0.3, 1.0)))
    return tuple(rows)


def _titled(progress: Progress, method: CityMethod) -> Progress:
    """Tells which method is at work, whatever step of it; a search that goes back a little stands still."""
    most = 0.0

    def titled(done: float, text: str = "") -> None:  # noqa: ARG001 - the method says more than its steps
        nonlocal most
        most = max(most, done)
        progress(most, f"Comparing: {method.title}")

    return titled


def _rows(
    method: CityMethod,
    total: Decimal,
    plan: ValuesPlan,
    users: UserTable,
    releases: int,
    seed: int,
    progress: Progress,
) -> Iterator[CityErrors]:
    """The raw row, and the smoothed one where bias and noise of every HAT are known."""
    truth = np.array([true_mean(users.hat_data(hat.index)) for hat in plan.published]) if releases else None
    drawn = (
        plan.simulate(users, SimulatedDraws(releases, seed, SimulatedNoise, SingleTrial))
        if releases
        else None
    )
    upper = plan.upper_bound / THOUSAND

    def row(predicted: Floats, values: Floats | None, *, smoothed: bool) -> CityErrors:
        errors = None if values is None or truth is None else np.abs(values - truth).mean(axis=0)
        return CityErrors(
            method=method,
            smoothed=smoothed,
            total=total,
            hats=len(plan.published),
            predicted=float(np.median(predicted)),
            median=None if errors is None else float(np.median(errors)),
            mean=None if errors is None else float(errors.mean()),
            releases=0 if values is None else len(values),
        )

    clamped = None if drawn is None else np.clip(drawn.values, 0.0, upper)
    yield row(plan.errors_as_a_map, clamped, smoothed=False)
    if plan.regions or any(one.lead.interval_bias is None for one in plan.plans):
        return
    predicted = predicted_error(smoothing_facts(plan), part(progress, 0.0, 0.3))
    if drawn is None:
        yield row(predicted, None, smoothed=True)
        return
    some = min(SMOOTHED_RELEASES, releases)
    values = [
        smooth_drawn(
            smoothing_facts(plan, DrawnRows(rows=(), scales=drawn.scales[number])),
            drawn.values[number],
            drawn.corrected[number] if drawn.corrected else None,
            part(progress, 0.3 + 0.7 * number / some, 0.3 + 0.7 * (number + 1) / some),
        ).values
        for number in range(some)
    ]
    yield row(predicted, np.array(values), smoothed=True)
