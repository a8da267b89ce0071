"""Black-box audits of relation `user`: whether one vehicle was there at all (method 12, 17).

The adversary knows every other vehicle, the constants and the plan. It sees all that the real source of noise
gave for all candidates, or what is published of one HAT at the threshold, and looks in the best way there is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.bounding import plan_and_enforce
from core.bounding.bounded_cdf import draw_bounded_cdf, plan_bounded_cdf
from core.bounding.bounded_mean import BoundedMeans, draw_bounded_mean, plan_bounded_mean
from core.bounding.bounded_query2 import draw_bounded_query2, plan_bounded_query2
from core.bounding.bounding import bounded_rows, candidate_rows, unit_entries
from core.bounding.bounding_charge import bounding_charge
from core.bounding.candidates import candidate_hats
from core.bounding.plan_and_enforce import draw_enforced, plan_enforced
from core.bounding.public_counts import PublicCounts
from core.city.noise_kind import NoiseKind
from core.contributions import pairs_of
from core.noise.secure import SecureNoise
from core.privacy import Allowance, Unit
from tests.audit import epsilon_lower_bound, rho_lower_bound
from tests.audit_table import WHOLE, Audits
from tests.bounding import KEY, Stay, constants_of, entries_in, table_of
from tests.fakes import FakeReservation, RecordingNoise
from tests.strategies import CELLS, U

ALPHA = 1e-6
FEW, MANY, CATCHING = 500, 6_000, 6_000
"""Releases on each neighbour: in the normal suite, in `make audit`, and what must do to catch a mistake."""
SPEND = {NoiseKind.LAPLACE: Decimal(1), NoiseKind.GAUSS: Decimal("0.25")}
CONSTANTS = constants_of(cells=CELLS[:2])
LISTED = candidate_hats(CONSTANTS)
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
IN_ONE = [*OTHERS, *stays_of("secret", hats=1)]
"""All that it can spend is in one HAT: what is spread over many numbers takes more releases to see."""


def mean(noise: NoiseKind, *, by_day: bool = False, threshold: int = 1) -> City:
    """Query 1 by day."""
    plan = plan_bounded_mean(CONSTANTS, noise, SPEND[noise], threshold, by_day=by_day)

    def city(stays: list[Stay]) -> Release:
        entries = entries_in(stays, CONSTANTS, by_day=by_day)
        return lambda source: draw_bounded_mean(plan, entries, source.scope)

    return city


def above_limits(noise: NoiseKind, *, histogram: bool) -> City:
    plan = plan_bounded_query2(CONSTANTS, (20_000, 50_000), noise, SPEND[noise], histogram=histogram)

    def city(stays: list[Stay]) -> Release:
        entries = entries_in(stays, CONSTANTS, by_day=True)
        return lambda source: draw_bounded_query2(plan, entries, source)

    return city


def distribution(noise: NoiseKind) -> City:
    plan = plan_bounded_cdf(
        CONSTANTS, noise, SPEND[noise], 1, bins=4, tree="binary", weights="records", m_ub=3
    )

    def city(stays: list[Stay]) -> Release:
        table = table_of(stays)
        rows = bounded_rows(table, LISTED, CONSTANTS, KEY, by_day=False)
        return lambda source: draw_bounded_cdf(plan, table, rows, source)

    return city


def enforced(noise: NoiseKind) -> City:
    """The vehicle sent a hundred times of what the plan knows of."""
    plan = plan_enforced(PUBLIC.pairs(), LISTED, U, noise, SPEND[noise], caps=np.full(len(LISTED), 1_000))

    def city(stays: list[Stay]) -> Release:
        table = table_of([stay._replace(values=stay.values * 100) for stay in stays])
        entries = unit_entries(candidate_rows(table, LISTED, Unit.VEHICLE), pairs_of(table))
        return lambda source: draw_enforced(plan, entries, source)

    return city


_ENFORCED = "plan and enforce"
METHODS: dict[str, Callable[[NoiseKind], City]] = {
    "mean": mean,
    "query1": lambda noise: mean(noise, by_day=True),
    "query2": lambda noise: above_limits(noise, histogram=False),
    "query2, histogram": lambda noise: above_limits(noise, histogram=True),
    "cdf": distribution,
    _ENFORCED: enforced,
}


@dataclass
class Tapped:
    """The real source, and all that it gave in one release; `stretch` below 1 spoils its sensitivities."""

    noise: Any
    stretch: float = 1.0
    seen: list[NDArray[np.int64]] = field(default_factory=list)

    def scope(self, _: str) -> Tapped:
        return self

    def laplace_vector(self, centres: Any, sensitivity: int, *, spend: Decimal) -> Any:
        return self._seen(self.noise.laplace_vector, centres, sensitivity, spend)

    def gaussian_vector(self, centres: Any, sensitivity: int, *, spend: Decimal) -> Any:
        return self._seen(self.noise.gaussian_vector, centres, sensitivity, spend)

    def _seen(self, buy: Callable[..., Any], centres: Any, sensitivity: int, spend: Decimal) -> Any:
        self.seen.append(buy(centres, max(1, round(sensitivity * self.stretch)), spend=spend))
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
            tapped = Tapped(source, stretch)
            release(tapped)
            found.append(likelier(tapped.seen))
        samples.append(np.array(found))
    return (rho_lower_bound if noise.squared else epsilon_lower_bound)(*samples, ALPHA)


EVERY_METHOD = [(noise, method) for noise in NoiseKind for method in METHODS]


def neighbours_for(method: str) -> tuple[list[Stay], list[Stay]]:
    """With the vehicle and without, so that it costs all that is charged."""
    return IN_ONE if method == _ENFORCED else PRESENT, OTHERS


@pytest.mark.parametrize(
    ("noise", "method", "trials", "least"),
    [
        pytest.param(NoiseKind.LAPLACE, "mean", FEW, -1.0, id="mean, few"),
        pytest.param(NoiseKind.GAUSS, _ENFORCED, FEW, -1.0, id="plan and enforce, few"),
        *(pytest.param(*one, MANY, 0.1, id=", ".join(one), marks=pytest.mark.audit) for one in EVERY_METHOD),
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


@pytest.mark.audit
@pytest.mark.parametrize("noise", list(NoiseKind))
def test_a_vehicle_in_one_hat_costs_no_more_than_that_charge(noise: NoiseKind, audits: Audits) -> None:
    """Slow in the HAT on one day and not there on that day otherwise: the mean goes from end to end."""
    slow = stays_of("secret", hats=1, days=1, records=500, value=0)
    fast = [stay for stay in stays_of("secret", hats=1) if stay.day]
    charge = bounding_charge(CONSTANTS, noise, SPEND[noise], by_hat=True)
    found = certified(mean(noise), noise, MANY, neighbours=([*OTHERS, *fast, *slow], [*OTHERS, *fast]))
    audits.holds(
        "relation user",
        WHOLE,
        setting=f"mean, {noise}: a vehicle in one HAT on a day",
        claimed=(charge.rho if noise.squared else charge).per_vehicle_hat_day,
        certified=found,
        trials=MANY,
        least=0.05,
    )


@pytest.mark.audit
@pytest.mark.parametrize(("noise", "method"), EVERY_METHOD)
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
def test_halved_noise_is_caught(noise: NoiseKind, audits: Audits) -> None:
    found = certified(mean(noise), noise, 2 * MANY, stretch=0.5)
    audits.caught(
        "relation user",
        WHOLE,
        setting=f"mean, {noise}: noise halved",
        claimed=SPEND[noise],
        certified=found,
        trials=2 * MANY,
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


@pytest.mark.parametrize(
    ("trials", "least"),
    [pytest.param(FEW, -1.0, id="few"), pytest.param(MANY, 0.05, id="many", marks=pytest.mark.audit)],
)
def test_a_hat_at_the_threshold_betrays_no_more(trials: int, least: float, audits: Audits) -> None:
    """One HAT has half of the budget of one of two HATs."""
    audits.holds(
        "relation user",
        WHOLE,
        setting="mean, laplace: a HAT at the threshold",
        claimed=SPEND[NoiseKind.LAPLACE] / 4,
        certified=at_the_threshold(trials, lambda drawn, _: shown(drawn)),
        trials=trials,
        least=least,
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
