"""Black-box audits of relation `user`: whether one vehicle was there at all (method 12, 17).

The adversary knows every other vehicle, the constants and the plan. It sees all that the real source of noise
gave for all candidates, or what is published of one HAT at the threshold, and looks in the best way there is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.bounding import bounding, plan_and_enforce
from core.bounding.bounded_mean import BoundedMeans, draw_bounded_mean, plan_bounded_mean
from core.bounding.bounding import candidate_rows, unit_entries
from core.bounding.bounding_charge import bounding_charge
from core.bounding.candidates import candidate_hats
from core.bounding.enforced_regions import plan_enforced_regions
from core.bounding.enforced_shares import draw_enforced_shares, unit_atoms, with_ranges
from core.bounding.entry_bound import entry_unit
from core.bounding.plan_and_enforce import USUAL_SHARE, EnforcedNoise, draw_enforced, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.contributions import pairs_of
from core.mechanisms.registry import require_mechanism
from core.noise.secure import SecureNoise, gaussian_scale, laplace_scale
from core.planning.bounded_query import BoundedPlan, draw_bounded_query, plan_by_constants
from core.privacy import Allowance, Relation, Unit
from core.statistics.question import question_of
from core.statistics.ranges import Ranges
from core.statistics.registry import require_statistic
from tests.audit import epsilon_lower_bound, gaussian_draws, laplace_draws, noise_by_law, rho_lower_bound
from tests.audit_table import WHOLE, Audits
from tests.bounding import KEY, UNITS, Stay, constants_of, entries_in, table_of
from tests.fakes import FakeReservation, RecordingNoise
from tests.strategies import CELLS, U

ALPHA = 1e-6
MEAN = question_of(require_statistic("mean"), require_mechanism("plan-and-enforce"), {}, Relation.USER)
FEW, SOME, MORE, CATCHING = 500, 6_000, 12_000, 6_000
"""Releases on each neighbour, one by one: in the normal suite, in `make audit`, and to catch a mistake."""
MANY, CATCHING_BY_LAW = 1_000_000, 100_000
"""The same by the law of the noise."""
METERED, DRAWN, BY_LAW = "one by one", "in one call", "by its law"
"""Releases as they are made; the source's own vectors; the law that these are tested to follow."""
SPEND = {NoiseKind.LAPLACE: Decimal(1), NoiseKind.GAUSS: Decimal("0.25")}
CONSTANTS = {unit: constants_of(unit, cells=CELLS[:2]) for unit in UNITS}
LISTED = candidate_hats(CONSTANTS[Unit.VEHICLE])
PUBLIC = PublicCounts(units=np.full(len(LISTED), 3), records=np.full(len(LISTED), 2), fleet=6)
Sample = NDArray[np.float64]
Release = Callable[[Any], Any]
"""Draws once from a source of noise."""
City = Callable[[list[Stay]], Release]
"""Bounds what was sent, as a release does before it draws."""


def stays_of(vehicle: str, *, hats: int = 6, days: int = 3, records: int = 1, value: int = U) -> list[Stay]:
    places = [(cell, slot) for cell in CELLS[:2] for slot in (9, 10, 11)][:hats]
    return [Stay(*place, vehicle, day, (value,) * records) for place in places for day in range(days)]


OTHERS = [*stays_of("known", value=20_000), *stays_of("seen", hats=3, value=41_000)]
PRESENT = [*OTHERS, *stays_of("secret")]
"""In every HAT on every day, as fast as can be."""
BUSY = [*OTHERS, *stays_of("secret", records=3)]
"""On each day as often as may count."""
IN_ONE = [*OTHERS, *stays_of("secret", hats=1)]
"""All that it can spend is in one HAT: what is spread over many numbers takes more releases to see."""


def mean(noise: NoiseKind, unit: Unit = Unit.VEHICLE, *, threshold: int = 1) -> City:
    constants = CONSTANTS[unit]
    plan = plan_bounded_mean(constants, noise, SPEND[noise], threshold)

    def city(stays: list[Stay]) -> Release:
        entries = entries_in(stays, constants)
        return lambda source: draw_bounded_mean(plan, entries, source.scope)

    return city


def released(key: str, **parameters: Any) -> Callable[..., City]:
    """A statistic with a method of its own, bounded and drawn as a release does it."""
    question = question_of(require_statistic(key), None, parameters, Relation.USER)

    def build(noise: NoiseKind, unit: Unit = Unit.VEHICLE) -> City:
        constants = CONSTANTS[unit]
        plan = BoundedPlan(
            constants=constants,
            threshold=1,
            delta=Decimal(0),
            candidates=LISTED,
            plan=plan_by_constants(constants, 1, question, noise, SPEND[noise]),
            by_day=question.statistic.counts_days,
            columns=np.arange(len(LISTED)),
        )

        def city(stays: list[Stay]) -> Release:
            table = table_of(stays)
            pairs = pairs_of(table)
            return lambda source: draw_bounded_query(plan, table, KEY, pairs, source, "q", question)

        return city

    return build


def enforced(noise: NoiseKind, unit: Unit = Unit.VEHICLE) -> City:
    """The vehicle sent a hundred times of what the plan knows of."""
    plan = plan_enforced(PUBLIC.pairs(), LISTED, U, noise, SPEND[noise], caps=np.full(len(LISTED), 1_000))

    def city(stays: list[Stay]) -> Release:
        table = table_of([stay._replace(values=stay.values * 100) for stay in stays])
        entries = unit_entries(candidate_rows(table, LISTED, unit), pairs_of(table))
        return lambda source: draw_enforced(plan, entries, source)

    return city


def by_region(noise: NoiseKind, unit: Unit = Unit.VEHICLE) -> City:
    """The same where both cells and all hours are a few regions."""
    law = EnforcedNoise.of(U, noise, SPEND[noise], USUAL_SHARE)
    plan = plan_enforced_regions(PUBLIC.pairs(), LISTED, LISTED, [law], 10.0)
    assert plan is not None
    assert plan.regions is not None
    assert 1 < len(plan.regions.listed) < len(LISTED)
    bounded = BoundedPlan(
        constants=CONSTANTS[unit],
        threshold=1,
        delta=Decimal(0),
        candidates=LISTED,
        plan=dataclasses.replace(plan, caps=np.full(plan.caps.size, 1_000)),
        by_day=False,
        columns=plan.regions.of_hat,
    )

    def city(stays: list[Stay]) -> Release:
        table = table_of([stay._replace(values=stay.values * 100) for stay in stays])
        pairs = pairs_of(table)
        return lambda source: draw_bounded_query(bounded, table, KEY, pairs, source, "q", MEAN)

    return city


def shares(noise: NoiseKind, unit: Unit = Unit.VEHICLE) -> City:
    """Of ranges that tile; all that the vehicle sent, a hundred times of what is known, lies in one."""
    plan = plan_enforced(PUBLIC.pairs(), LISTED, U, noise, SPEND[noise], caps=np.full(len(LISTED), 1_000))
    tiling = with_ranges(plan, Ranges(((0, 30_000), (30_000, 50_000), (50_000, U)), U))

    def city(stays: list[Stay]) -> Release:
        table = table_of([stay._replace(values=stay.values * 100) for stay in stays])
        rows = candidate_rows(table, LISTED, unit)
        entries = unit_entries(rows, pairs_of(table))
        atoms = unit_atoms(table, rows, entries, tiling.ranges)
        return lambda source: draw_enforced_shares(tiling, entries, atoms, source)

    return city


_ENFORCED, _CDF, _REGIONS, _SHARES = "plan and enforce", "cdf", "regions", "shares"
METHODS: dict[str, Callable[..., City]] = {
    "mean": mean,
    "query1": released("query1"),
    "query2": released("query2", limits=(20.0, 50.0)),
    "query2, histogram": released("query2", limits=(20.0, 50.0), histogram=True),
    _CDF: released("cdf", bins=4, tree="binary", weights="records", m_ub=3),
    _ENFORCED: enforced,
    _REGIONS: by_region,
    _SHARES: shares,
}


class _AllDrawn(Exception):
    """The last vector of a release is there: what is made of it costs time, and betrays nothing more."""


@dataclass
class Tapped:
    """The real source, and all that it gave in one release; `stretch` below 1 spoils its sensitivities."""

    noise: Any
    stretch: float = 1.0
    vectors: int | None = None
    """After so many the release is left; None: it goes on to its end."""
    seen: list[NDArray[np.int64]] = field(default_factory=list)

    def scope(self, _: str) -> Tapped:
        return self

    def laplace_vector(self, centres: Any, sensitivity: int, *, spend: Decimal) -> Any:
        return self._seen(self.noise.laplace_vector, centres, sensitivity, spend)

    def gaussian_vector(self, centres: Any, sensitivity: int, *, spend: Decimal) -> Any:
        return self._seen(self.noise.gaussian_vector, centres, sensitivity, spend)

    def _seen(self, buy: Callable[..., Any], centres: Any, sensitivity: int, spend: Decimal) -> Any:
        self.seen.append(buy(centres, max(1, round(sensitivity * self.stretch)), spend=spend))
        if len(self.seen) == self.vectors:
            raise _AllDrawn
        return self.seen[-1]


def real(trials: int) -> Any:
    """The source of a release, that may spend as often."""
    most = Allowance(
        scope="all", epsilon=trials * SPEND[NoiseKind.LAPLACE], rho=trials * SPEND[NoiseKind.GAUSS]
    )
    return SecureNoise(FakeReservation([most])).scope("all")


def certified(
    city: City, noise: NoiseKind, trials: int, *, stretch: float = 1.0, neighbours: Any = (PRESENT, OTHERS)
) -> float:
    """What all numbers together betray, by the ratio of their laws on both neighbours."""
    releases, asked = [city(stays) for stays in neighbours], []
    for release in releases:
        recorded = RecordingNoise()
        release(recorded)
        asked.append(recorded.requests)
    here, there = ([np.array(one.centres, float) for one in requests] for requests in asked)  # type: ignore[union-attr]
    scales = [
        one.sensitivity / float(one.spend) ** (0.5 if noise.squared else 1.0)  # type: ignore[union-attr]
        for one in asked[0]
    ]

    def likelier(seen: list[NDArray[np.int64]]) -> float:
        if noise.squared:
            return sum(
                float(one @ (a - b)) / scale**2
                for one, a, b, scale in zip(seen, here, there, scales, strict=True)
            )
        return sum(
            float((np.abs(one - b) - np.abs(one - a)).sum()) / scale
            for one, a, b, scale in zip(seen, here, there, scales, strict=True)
        )

    samples = []
    for release in releases:
        found, source = [], real(trials)
        for _ in range(trials):
            tapped = Tapped(source, stretch, vectors=len(here))
            with pytest.raises(_AllDrawn):
                release(tapped)
            found.append(likelier(tapped.seen))
        samples.append(np.array(found))
    return (rho_lower_bound if noise.squared else epsilon_lower_bound)(*samples, ALPHA)


Vectors = list[tuple[NDArray[np.int64], int, Decimal]]
"""What a release asks noise for: true numbers, sensitivity, spend."""
Neighbours = tuple[list[Stay], list[Stay]]


def asked_by(release: Release) -> Vectors:
    """The vectors of one release, in their order."""
    recorded = RecordingNoise()
    release(recorded)
    requests = [*recorded.vectors, *recorded.gaussians]
    return [(np.array(one.centres, np.int64), one.sensitivity, one.spend) for one in requests]


def certified_by_law(
    city: City,
    noise: NoiseKind,
    trials: int,
    neighbours: Neighbours,
    *,
    stretch: float = 1.0,
    drawn: bool = False,
    shown: Callable[[list[Sample]], NDArray[np.bool_]] | None = None,
) -> float:
    """The same as `certified`, from many draws at once of those numbers alone that differ.

    drawn: by the source's own vectors, else by their law. shown: noisy numbers -> whether they are published;
    of what is not, nothing is seen but that.
    """
    here, there = (asked_by(city(stays)) for stays in neighbours)
    rng, samples = np.random.default_rng(20_261_122), []
    for own in (here, there):
        found, noisy_numbers = np.zeros(trials), []
        for (centres, sensitivity, spend), one, other in zip(own, here, there, strict=True):
            assert one[1:] == other[1:] == (sensitivity, spend), "the noise tells the data apart"
            scale = (gaussian_scale if noise.squared else laplace_scale)(sensitivity, spend)
            for place in np.flatnonzero(one[0] != other[0]).tolist():
                centre = centres[place]
                if not drawn:
                    added = noise_by_law(rng, scale * stretch, trials, squared=noise.squared)
                    noisy: Sample = centre + added
                elif noise.squared:
                    column = np.array([centre])
                    noisy = gaussian_draws(column, sensitivity, spend, trials, stretch=stretch)[:, 0]
                else:
                    noisy = laplace_draws(centre, sensitivity, spend, trials, stretch=stretch)
                a, b = float(one[0][place]), float(other[0][place])
                if noise.squared:
                    found += (noisy - (a + b) / 2) * ((a - b) / scale**2)
                else:
                    found += (np.abs(noisy - b) - np.abs(noisy - a)) / scale
                noisy_numbers.append(noisy)
        samples.append(found if shown is None else np.where(shown(noisy_numbers), found, -1e9))
    return (rho_lower_bound if noise.squared else epsilon_lower_bound)(*samples, ALPHA)


EVERY_METHOD = [(noise, method) for noise in NoiseKind for method in METHODS]


def neighbours_for(method: str) -> tuple[list[Stay], list[Stay]]:
    """With the vehicle and without, so that it costs all that is charged."""
    return {_ENFORCED: IN_ONE, _REGIONS: IN_ONE, _SHARES: IN_ONE, _CDF: BUSY}.get(method, PRESENT), OTHERS


@pytest.mark.parametrize(
    ("noise", "method", "trials", "least"),
    [
        pytest.param(NoiseKind.LAPLACE, "mean", FEW, -1.0, id="mean, few"),
        pytest.param(NoiseKind.GAUSS, _ENFORCED, FEW, -1.0, id="plan and enforce, few"),
        *(pytest.param(*one, MORE, 0.1, id=", ".join(one), marks=pytest.mark.audit) for one in EVERY_METHOD),
    ],
)
def test_the_presence_of_a_vehicle_costs_no_more_than_is_charged(
    noise: NoiseKind, method: str, trials: int, least: float, audits: Audits
) -> None:
    found = certified(METHODS[method](noise), noise, trials, neighbours=neighbours_for(method))
    audits.holds(
        "relation user",
        WHOLE,
        setting=f"{method}, {noise}: a vehicle",
        claimed=SPEND[noise],
        certified=found,
        trials=trials,
        least=least,
    )


def day_apart(method: str) -> Neighbours:
    """With one day of the vehicle and without it: one unit of `vehicle-day`."""
    present, absent = neighbours_for(method)
    return present, [stay for stay in present if stay.day or stay in absent]


CITIES = [
    *((unit, noise, method) for unit in UNITS for noise in NoiseKind for method in METHODS),
]
each_city = pytest.mark.parametrize(("unit", "noise", "method"), CITIES, ids=map(", ".join, CITIES))
LEAST = {NoiseKind.LAPLACE: 0.8, NoiseKind.GAUSS: 0.55}
"""Part of what is claimed that a million draws certify; two outcomes of Gaussian noise tell 2 / pi of rho."""
CAUGHT = {NoiseKind.LAPLACE: 0.8, NoiseKind.GAUSS: 0.5}
"""Part of the noise that is too little, and must be found out."""


def unit_neighbours(unit: Unit, method: str) -> Neighbours:
    return neighbours_for(method) if unit is Unit.VEHICLE else day_apart(method)


@pytest.mark.audit
@each_city
def test_a_unit_costs_no_more_than_is_charged_in_a_million_draws(
    unit: Unit, noise: NoiseKind, method: str, audits: Audits
) -> None:
    found = certified_by_law(METHODS[method](noise, unit), noise, MANY, unit_neighbours(unit, method))
    audits.holds(
        "relation user",
        WHOLE,
        setting=f"{method}, {noise}: a {unit}, {BY_LAW}",
        claimed=SPEND[noise],
        certified=found,
        trials=MANY,
        least=LEAST[noise],
    )


@pytest.mark.audit
@each_city
def test_too_little_noise_is_caught_by_its_law(
    unit: Unit, noise: NoiseKind, method: str, audits: Audits
) -> None:
    stretch = CAUGHT[noise]
    found = certified_by_law(
        METHODS[method](noise, unit), noise, MANY, unit_neighbours(unit, method), stretch=stretch
    )
    audits.caught(
        "relation user",
        WHOLE,
        setting=f"{method}, {noise}: a {unit}, {stretch:g} of the noise, {BY_LAW}",
        claimed=SPEND[noise],
        certified=found,
        trials=MANY,
    )


@pytest.mark.audit
@pytest.mark.parametrize("noise", list(NoiseKind))
def test_the_source_itself_passes_in_a_million_draws(noise: NoiseKind, audits: Audits) -> None:
    city, neighbours = METHODS[_ENFORCED](noise), neighbours_for(_ENFORCED)
    found = certified_by_law(city, noise, MANY, neighbours, drawn=True)
    audits.holds(
        "relation user",
        WHOLE,
        setting=f"{_ENFORCED}, {noise}: a vehicle, {DRAWN}",
        claimed=SPEND[noise],
        certified=found,
        trials=MANY,
        least=LEAST[noise],
    )


@pytest.mark.audit
@pytest.mark.parametrize("noise", list(NoiseKind))
def test_a_vehicle_of_many_days_costs_no_more_than_is_charged(noise: NoiseKind, audits: Audits) -> None:
    """Unit `vehicle-day`, and all three days of a vehicle: what they move adds up before it is squared."""
    unit = Unit.VEHICLE_DAY
    charge = bounding_charge(CONSTANTS[unit], noise, SPEND[noise], by_hat=False)
    found = certified_by_law(METHODS[_ENFORCED](noise, unit), noise, MANY, neighbours_for(_ENFORCED))
    audits.holds(
        "relation user",
        WHOLE,
        setting=f"{_ENFORCED}, {noise}: all days of a vehicle, {BY_LAW}",
        claimed=(charge.rho if noise.squared else charge).per_vehicle,
        certified=found,
        trials=MANY,
        least=LEAST[noise],
    )


@pytest.mark.audit
@pytest.mark.parametrize("noise", list(NoiseKind))
def test_a_vehicle_in_one_hat_costs_no_more_than_that_charge(noise: NoiseKind, audits: Audits) -> None:
    """Slow in the HAT on one day and not there on that day otherwise: the mean goes from end to end."""
    slow = stays_of("secret", hats=1, days=1, records=500, value=0)
    fast = [stay for stay in stays_of("secret", hats=1) if stay.day]
    charge = bounding_charge(CONSTANTS[Unit.VEHICLE], noise, SPEND[noise], by_hat=True)
    found = certified(mean(noise), noise, SOME, neighbours=([*OTHERS, *fast, *slow], [*OTHERS, *fast]))
    audits.holds(
        "relation user",
        WHOLE,
        setting=f"mean, {noise}: a vehicle in one HAT on a day",
        claimed=(charge.rho if noise.squared else charge).per_vehicle_hat_day,
        certified=found,
        trials=SOME,
        least=0.05,
    )


@pytest.mark.audit
@pytest.mark.parametrize(("noise", "method"), EVERY_METHOD, ids=map(", ".join, EVERY_METHOD))
def test_a_third_of_the_noise_is_caught(noise: NoiseKind, method: str, audits: Audits) -> None:
    found = certified(
        METHODS[method](noise), noise, CATCHING, stretch=0.34, neighbours=neighbours_for(method)
    )
    audits.caught(
        "relation user",
        WHOLE,
        setting=f"{method}, {noise}: a third of the noise",
        claimed=SPEND[noise],
        certified=found,
        trials=CATCHING,
    )


@pytest.mark.audit
@pytest.mark.parametrize("noise", list(NoiseKind))
def test_a_plan_that_is_not_enforced_is_caught(
    noise: NoiseKind, monkeypatch: pytest.MonkeyPatch, audits: Audits
) -> None:
    def unbounded(
        _units: Any, records: list[int], caps: list[int], prices: list[int], *_: Any, **__: Any
    ) -> list[int]:
        return [min(m, cap) * price >> 20 for m, cap, price in zip(records, caps, prices, strict=True)]

    city = enforced(noise)
    monkeypatch.setattr(plan_and_enforce, "enforced_tokens", unbounded)
    monkeypatch.setattr(plan_and_enforce, "require_rows_within", lambda *_, **__: None)
    found = certified(city, noise, CATCHING, neighbours=neighbours_for(_ENFORCED))
    audits.caught(
        "relation user",
        WHOLE,
        setting=f"plan and enforce, {noise}: not enforced",
        claimed=SPEND[noise],
        certified=found,
        trials=CATCHING,
    )


@pytest.mark.parametrize("noise", list(NoiseKind))
def test_a_budget_of_its_own_in_each_region_is_caught(
    noise: NoiseKind, monkeypatch: pytest.MonkeyPatch, audits: Audits
) -> None:
    """The vehicle is held to its total region by region, as if these were several releases."""
    enforce = plan_and_enforce.enforced_tokens

    def by_itself(units: list[int], records: list[int], *others: Any, **norm: Any) -> list[int]:
        return enforce(list(range(len(units))), records, *others, **norm)

    city = by_region(noise)
    monkeypatch.setattr(plan_and_enforce, "enforced_tokens", by_itself)
    monkeypatch.setattr(plan_and_enforce, "require_rows_within", lambda *_, **__: None)
    audits.caught(
        "relation user",
        WHOLE,
        setting=f"regions, {noise}: a budget in each, {BY_LAW}",
        claimed=SPEND[noise],
        certified=certified_by_law(city, noise, CATCHING_BY_LAW, (PRESENT, OTHERS)),
        trials=CATCHING_BY_LAW,
    )


@pytest.mark.parametrize("noise", list(NoiseKind))
def test_hats_beyond_the_constant_are_caught(
    noise: NoiseKind, monkeypatch: pytest.MonkeyPatch, audits: Audits
) -> None:
    """All six HATs of the vehicle count where two may."""
    monkeypatch.setattr(bounding, "first_by_hash", lambda group, *_: np.ones(group.size, bool))
    audits.caught(
        "relation user",
        WHOLE,
        setting=f"mean, {noise}: more HATs than C, {BY_LAW}",
        claimed=SPEND[noise],
        certified=certified_by_law(mean(noise), noise, CATCHING_BY_LAW, (PRESENT, OTHERS)),
        trials=CATCHING_BY_LAW,
    )


@pytest.mark.parametrize("method", ["query1", "query2", "query2, histogram"])
@pytest.mark.parametrize("noise", list(NoiseKind))
def test_days_beyond_the_constant_are_caught(
    noise: NoiseKind, method: str, monkeypatch: pytest.MonkeyPatch, audits: Audits
) -> None:
    """All three days of the vehicle count where two may."""
    monkeypatch.setattr(bounding, "_first_days", lambda rows, *_: rows)
    audits.caught(
        "relation user",
        WHOLE,
        setting=f"{method}, {noise}: more days than the constant, {BY_LAW}",
        claimed=SPEND[noise],
        certified=certified_by_law(METHODS[method](noise), noise, CATCHING_BY_LAW, (PRESENT, OTHERS)),
        trials=CATCHING_BY_LAW,
    )


@pytest.mark.parametrize(
    ("trials", "least"),
    [
        pytest.param(20_000, 0.2, id="some"),
        pytest.param(MANY, 0.4, id="many", marks=pytest.mark.audit),
    ],
)
@pytest.mark.parametrize("noise", list(NoiseKind))
def test_a_hat_at_the_threshold_betrays_no_more_by_its_law(
    noise: NoiseKind, trials: int, least: float, audits: Audits
) -> None:
    """Three vehicles with the secret one publish the HAT, by their noisy number. It costs one of two HATs."""
    others = [*stays_of("known", hats=1), *stays_of("seen", hats=1)]
    neighbours = [*others, *stays_of("secret", hats=1)], others
    least_weight = 3 * entry_unit(noise)
    found = certified_by_law(
        mean(noise, threshold=3), noise, trials, neighbours, shown=lambda noisy: noisy[0] >= least_weight
    )
    audits.holds(
        "relation user",
        WHOLE,
        setting=f"mean, {noise}: a HAT at the threshold, {BY_LAW}",
        claimed=SPEND[noise] / 2,
        certified=found,
        trials=trials,
        least=least,
    )


def shown(drawn: BoundedMeans) -> float:
    """All that is published of the first HAT: its noisy weight, or that it is suppressed."""
    return float(drawn.weight[0]) if drawn.published[0] else -1e9


def at_the_threshold(trials: int, look: Callable[[BoundedMeans, int], float]) -> float:
    """The first HAT has three vehicles with the secret one, and three publish it."""
    city, samples = mean(NoiseKind.LAPLACE, threshold=3), []
    candidates = [*stays_of("known", hats=1), *stays_of("seen", hats=1)]
    for stays in ([*candidates, *stays_of("secret", hats=1)], candidates):
        release, source = city(stays), real(trials)
        truth = len({stay.vehicle for stay in stays})
        samples.append(np.array([look(release(Tapped(source)), truth) for _ in range(trials)]))
    return epsilon_lower_bound(*samples, ALPHA)


@pytest.mark.audit
def test_a_hat_at_the_threshold_betrays_no_more(audits: Audits) -> None:
    """One HAT has half of the budget of one of two HATs."""
    audits.holds(
        "relation user",
        WHOLE,
        setting="mean, laplace: a HAT at the threshold",
        claimed=SPEND[NoiseKind.LAPLACE] / 4,
        certified=at_the_threshold(SOME, lambda drawn, _: shown(drawn)),
        trials=SOME,
        least=0.05,
    )


def test_a_threshold_on_exact_counts_is_caught(audits: Audits) -> None:
    """A HAT that is published by who is really there tells it at once."""
    audits.caught(
        "relation user",
        WHOLE,
        setting="mean, laplace: exact counts at the threshold",
        claimed=SPEND[NoiseKind.LAPLACE],
        certified=at_the_threshold(FEW, lambda drawn, truth: float(drawn.weight[0]) if truth >= 3 else -1e9),
        trials=FEW,
    )
