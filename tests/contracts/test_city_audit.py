"""Black-box audits of whole joint releases: what all HATs together betray of one vehicle (method 17).

The adversary knows every other vehicle, both values of this one, and the plan; it sees the unclamped numbers
of all HATs, drawn by the very source of a release, and looks at them in the best way there is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.accounting.budgets import Budget
from core.city import city_draw, city_plan
from core.city.city_plan import CityPlan
from core.contributions import Contributions
from core.noise.secure import ScopedNoise, SecureNoise
from core.planning.counted_city import CountedCity
from core.planning.joint_shares import JointShares
from core.planning.query_plan import Query, QueryPlan
from core.planning.values_query import plan_query
from core.privacy import Unit
from core.shares.share_plan import SHARE_PARTS
from core.statistics.question import question_of
from core.statistics.share import SHARE_DECIMALS
from core.statistics.share import STATISTIC as SHARES
from tests.audit import epsilon_lower_bound, rho_lower_bound
from tests.audit_table import WHOLE, Audits
from tests.count_tables import BUSIEST, TOWN, contributions_of
from tests.draws import draw_query
from tests.fakes import FakeReservation, RecordingNoise
from tests.neighbours import all_of, data_of, with_new_values
from tests.queries import mean_query
from tests.strategies import U

ALPHA = 1e-6
DELTA = Decimal("1e-6")
TOKENS_KEY = "tokens"
FEW, MANY, CATCHING = 600, 10_000, 5_000
"""Releases on each neighbour: in the normal suite, in `make audit`, and what must do to catch a mistake."""
ALONE = 5
"""A sixth vehicle, in one HAT only."""
COUNTS = (*TOWN, (0, 40, 0, 0))
REGIONS = {"regions": True, "promised_error": 20.0}
"""Two of them, each of several hours."""
APART = ((0.0, 10.0), (40.0, 65.0))
"""A vehicle whose speeds all change from the least to the most leaves the one and enters the other."""
Sample = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """Whose values change, under which noise, and the part of its loss that is certified at least."""

    name: str
    vehicle: int
    total: str
    params: dict[str, Any]
    least: float
    least_of_few: float | None = None
    trials: int = MANY
    ranges: tuple[tuple[float, float], ...] = ()
    """Of a release of shares in place of means."""

    @property
    def subject(self) -> str:
        return "share" if self.ranges else TOKENS_KEY

    @property
    def gaussian(self) -> bool:
        return self.params["noise"] == "gauss"


SETTINGS = [
    Setting("busiest in all HATs", BUSIEST, "3", {"noise": "laplace", "mode": "exact"}, 0.5, 0.02),
    Setting("in one HAT only", ALONE, "3", {"noise": "laplace", "mode": "exact"}, 0.5),
    Setting("busiest, split", BUSIEST, "3", {"noise": "laplace", "mode": "split"}, 0.5),
    Setting("busiest in all HATs, rho", BUSIEST, "6", {"noise": "gauss", "mode": "exact"}, 0.3),
    Setting("in one HAT only, rho", ALONE, "6", {"noise": "gauss", "mode": "exact"}, 0.2),
    Setting("busiest, regions", BUSIEST, "3", {"noise": "laplace", **REGIONS}, 0.5),
    Setting("busiest, regions, rho", BUSIEST, "15", {"noise": "gauss", **REGIONS}, 0.3),
    Setting("busiest, shares", BUSIEST, "3", {"noise": "laplace", "mode": "exact"}, 0.5, 0.02, ranges=APART),
    Setting("busiest, shares, rho", BUSIEST, "6", {"noise": "gauss", "mode": "exact"}, 0.3, ranges=APART),
    Setting(
        "two looks, rho", BUSIEST, "30", {"noise": "gauss", "mode": "exact", "zoom": True}, 0.01, trials=1_000
    ),
]
BOTH_SUITES = [
    *(
        pytest.param(one, FEW, one.least_of_few, id=f"{one.name}, few")
        for one in SETTINGS
        if one.least_of_few
    ),
    *(pytest.param(one, one.trials, one.least, id=one.name, marks=pytest.mark.audit) for one in SETTINGS),
]


@dataclass(frozen=True)
class Audit:
    """A plan, and the two cities that are to be told apart."""

    plan: QueryPlan
    tables: tuple[Contributions, Contributions]

    @property
    def city(self) -> CityPlan:
        assert self.plan.city is not None
        return self.plan.city

    @property
    def own_loss(self) -> Decimal:
        """What the vehicle's own tokens may cost it."""
        losses = self.moved() if not self.city.noise.squared else self.moved() ** 2
        moved = self.plan.shares if isinstance(self.plan, JointShares) else self.city
        most = moved.sensitivity**2 if self.city.noise.squared else moved.sensitivity
        return self.city.spend * int(losses.sum()) / most

    def centres(self, which: int) -> NDArray[np.int64]:
        """Token sums of the first look."""
        data, noise = data_of(self.tables[which], Unit.VEHICLE), RecordingNoise()
        draw_query(self.plan, data.users, data.pairs, noise)
        return np.array(noise.centres[0], object)

    def moved(self) -> NDArray[np.int64]:
        return np.abs(self.centres(1) - self.centres(0))

    def published(self, which: int, noise: Any, trials: int) -> Sample:
        """Unclamped numbers as token sums, shape (trials, G), or (trials, G J) of shares."""
        data, totals, unit = data_of(self.tables[which], Unit.VEHICLE), self.city.totals, self.city.grid.step
        if isinstance(self.plan, JointShares):
            totals, unit = np.repeat(totals, len(APART)), 10**SHARE_DECIMALS / SHARE_PARTS
        rows = [
            [
                one.unclamped
                for row in draw_query(self.plan, data.users, data.pairs, noise).rows
                for one in row
            ]
            for _ in range(trials)
        ]
        return np.array(rows, float) / unit * totals

    def likelier(self, sums: Sample) -> Sample:
        """How much likelier sums are on the first city: the ratio of both laws, up to its scale."""
        here, there = (self.centres(which).astype(float) for which in (0, 1))
        if self.city.noise.squared:
            return sums @ (here - there) / np.linalg.norm(here - there)
        return (np.abs(sums - there) - np.abs(sums - here)).sum(axis=1)

    def certified(self, trials: int, noise_of: Callable[[Any], Any], statistic: Any = None) -> float:
        samples = [
            (statistic or self.likelier)(self.published(which, noise_of(self.real(trials)), trials))
            for which in (0, 1)
        ]
        bound = rho_lower_bound if self.city.noise.squared else epsilon_lower_bound
        return bound(*samples, ALPHA)

    def real(self, trials: int) -> SecureNoise:
        """The source of a release, that may spend as often."""
        allowances = [
            type(one)(scope=one.scope, epsilon=one.epsilon * trials, rho=one.rho * trials)
            for one in self.plan.allowances
        ]
        return SecureNoise(FakeReservation(allowances))


def audit_of(setting: Setting) -> Audit:
    table = contributions_of(COUNTS, [U // 2] * int(np.sum(COUNTS)))
    mine, size = table.vehicle == setting.vehicle, table.values.size
    low, high = (with_new_values(table, mine, [value] * size) for value in (0, U))
    data = data_of(table, Unit.VEHICLE)
    budget = Budget(total=Decimal(setting.total))
    query = mean_query("tokens", budget=budget, smooth=False, **setting.params)
    if setting.ranges:
        asked = {"ranges": setting.ranges, "smooth": False, **setting.params}
        query = Query(id="shares", question=question_of(SHARES, None, asked), budget=budget)
    plan = plan_query(CountedCity(table, data.users, all_of(table), minimum_vehicles=1, delta=DELTA), query)
    return Audit(plan, (low, high))


def as_it_is(noise: SecureNoise) -> SecureNoise:
    return noise


@pytest.mark.parametrize(("setting", "trials", "least"), BOTH_SUITES)
def test_a_joint_release_costs_a_vehicle_no_more_than_its_tokens(
    setting: Setting, trials: int, least: float, audits: Audits
) -> None:
    audit = audit_of(setting)
    claimed = audit.city.spend if audit.city.looks else audit.own_loss
    assert claimed <= audit.city.spend
    found = audit.certified(trials, as_it_is)
    audits.holds(
        setting.subject,
        WHOLE,
        setting=setting.name,
        claimed=claimed,
        certified=found,
        trials=trials,
        least=least,
    )


@dataclass(frozen=True)
class Spoiled:
    """The real source with a mistake: asked for so much less noise, or drawing once for all HATs."""

    noise: Any
    halved: bool = False
    reused: bool = False

    def scope(self, name: str) -> Spoiled:
        return Spoiled(self.noise.scope(name), self.halved, self.reused)

    def laplace_vector(self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal) -> Any:
        return self._drawn(self.noise.laplace_vector, centres, sensitivity, spend)

    def gaussian_vector(self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal) -> Any:
        return self._drawn(self.noise.gaussian_vector, centres, sensitivity, spend)

    def _drawn(
        self, buy: Callable[..., Any], centres: NDArray[np.int64], sensitivity: int, spend: Decimal
    ) -> Any:
        drawn = buy(centres, sensitivity // 2 if self.halved else sensitivity, spend=spend)
        return centres + (drawn - centres)[0] if self.reused else drawn


def halved(noise: Any) -> Spoiled:
    return Spoiled(noise, halved=True)


def reused(noise: Any) -> Spoiled:
    return Spoiled(noise, reused=True)


def difference_of_two(sums: Sample) -> Sample:
    """Where both have the same noise it is gone."""
    return sums[:, 0] - sums[:, 1]


LAPLACE, GAUSSIAN = dataclasses.replace(SETTINGS[0], total="1"), SETTINGS[3]
OF_SHARES = [one for one in SETTINGS if one.ranges and one.gaussian]
"""With so little to lose a mistake is seen in few releases."""


@pytest.mark.parametrize(
    ("setting", "trials"),
    [
        pytest.param(LAPLACE, FEW, id="laplace, few"),
        *(pytest.param(one, CATCHING, id=one.name, marks=pytest.mark.audit) for one in (LAPLACE, GAUSSIAN)),
    ],
)
def test_noise_that_is_used_twice_is_caught(setting: Setting, trials: int, audits: Audits) -> None:
    audit = audit_of(setting)
    assert audit.certified(trials, as_it_is, difference_of_two) <= audit.city.spend
    found = audit.certified(trials, reused, difference_of_two)
    audits.caught(
        TOKENS_KEY,
        WHOLE,
        setting=f"{setting.name}, noise used twice",
        claimed=audit.city.spend,
        certified=found,
        trials=trials,
    )


@pytest.mark.audit
@pytest.mark.parametrize("setting", [LAPLACE, GAUSSIAN, *OF_SHARES], ids=lambda one: one.name)
def test_halved_noise_of_a_joint_release_is_caught(setting: Setting, audits: Audits) -> None:
    audit = audit_of(setting)
    found = audit.certified(CATCHING, halved)
    audits.caught(
        setting.subject,
        WHOLE,
        setting=f"{setting.name}, noise halved",
        claimed=audit.city.spend,
        certified=found,
        trials=CATCHING,
    )


@pytest.mark.audit
def test_a_removed_row_check_is_caught_by_draws(monkeypatch: pytest.MonkeyPatch, audits: Audits) -> None:
    """Twice the tokens on the same noise."""
    right = city_plan.tokens_of
    monkeypatch.setattr(city_plan, "tokens_of", lambda *found: right(*found) * 2)
    monkeypatch.setattr(city_draw, "require_rows_within", lambda *_, **__: None)
    audit = audit_of(LAPLACE)
    found = audit.certified(CATCHING, as_it_is)
    audits.caught(
        TOKENS_KEY,
        WHOLE,
        setting=f"{LAPLACE.name}, no row check",
        claimed=audit.city.spend,
        certified=found,
        trials=CATCHING,
    )


def test_regions_are_fewer_than_their_hats() -> None:
    for setting in SETTINGS:
        regions = audit_of(setting).plan.regions
        assert bool(regions) == ("regions" in setting.name)
        assert not regions or max(len(one.slots) for one in regions) > 1, "merged hours"


def test_the_source_is_that_of_a_release() -> None:
    assert isinstance(audit_of(LAPLACE).real(1).scope("mean_speed"), ScopedNoise)
