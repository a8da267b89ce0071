"""A plan of which each HAT is planned and drawn alone, from public counts (method 7-9)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

import numpy as np

from core.accounting.exact_loss import lattice_error
from core.accounting.query_epsilons import QueryEpsilons, query_epsilons
from core.arrays import Floats
from core.contributions import Contributions, PairTable, UserTable
from core.fixed_point import THOUSAND
from core.mechanisms.covariate import PublicSign
from core.noise.source import Scopes
from core.planning.hats_of_one import equal_share, hats_of_one
from core.planning.query_plan import DrawnRows, QueryPlan
from core.planning.simulated_means import SimulatedDraws, SimulatedMeans
from core.planning.user_suppression import RetainedUsers
from core.privacy import Allowance, Unit
from core.statistics.base import AnyHatPlan, AnyStatistic, HatRecords, MadeBy


@dataclass(frozen=True, slots=True, kw_only=True)
class Separate(QueryPlan):
    """Each HAT has its own share of the budget, and its own noise."""

    retained: RetainedUsers | None = None
    sign: PublicSign | None = None
    """Of the published HATs; None where nothing is smoothed."""

    @property
    def gaussian(self) -> bool:
        return self.once(_draws_gaussian)

    @property
    def lattice_error(self) -> float:
        return self.once(_lattice_error_of_plan)

    def sampled(self, most: int) -> Self:
        every = -(-len(self.published) // most) or 1
        return dataclasses.replace(self, hats=self.published[::every], smoothed_errors=None)

    @property
    def division(self) -> str:
        return self.query.budget.division

    @property
    def merged(self) -> None:
        return None

    def smoothed_sign(self, _drawn: DrawnRows | None, /) -> PublicSign | None:
        return self.sign

    @property
    def allowances(self) -> tuple[Allowance, ...]:
        return tuple(
            Allowance(scope=self.scope(hat), epsilon=Decimal(0), rho=hat.plan.rho)
            if hat.plan.rho
            else Allowance(scope=self.scope(hat), epsilon=hat.plan.epsilon)
            for hat in self.hats
            if hat.plan
        )

    def draw(
        self, _contributions: Contributions, users: UserTable, pairs: PairTable, _key: bytes, noise: Scopes, /
    ) -> DrawnRows:
        statistic = self.query.question.statistic
        retained, rows = (self.retained.users, self.retained.rows) if self.retained else (None, None)
        drawn = tuple(
            statistic.counted_from_zero(
                statistic.draw(
                    hat.plan,
                    HatRecords(users=users.hat_data(hat.index, retained), pairs=pairs.hat(hat.index, rows)),
                    noise.scope(self.scope(hat)),
                )
            )
            if hat.plan
            else ()
            for hat in self.hats
        )
        return DrawnRows(rows=drawn)

    @property
    def made_by(self) -> Mapping[str, MadeBy]:
        question = self.query.question
        return question.statistic.made_by(question, self.plans)

    @property
    def half_widths(self) -> Floats | None:
        statistic = self.query.question.statistic
        halves = [statistic.half_width(one) for one in self.plans]
        return None if None in halves else np.array(halves, np.float64)

    @property
    def errors_as_a_map(self) -> Floats:
        """What the number of each published HAT typically misses of its mean."""
        return np.array([one.lead.typical_error for one in self.plans])

    def simulate(self, users: UserTable, draws: SimulatedDraws) -> SimulatedMeans:
        """So many releases of the means, from noise that protects nobody."""
        retained = self.retained.users if self.retained else None
        columns = []
        for number, hat in enumerate(self.published):
            if hat.plan is None:
                continue
            mechanism, detail, _ = hat.plan.detail
            noise = draws.many(draws.seed + number, draws.releases)
            columns.append(
                mechanism.run(detail, users.hat_data(hat.index, retained), noise).unclamped / THOUSAND
            )
        values = np.array(columns).T
        scales = np.array([one.lead.noise_scale for one in self.plans])
        return SimulatedMeans(values, np.broadcast_to(scales, values.shape))

    def epsilon_alone(self, contributions: Contributions, users: UserTable, /) -> Decimal:
        total = self.query.budget.total
        if not self.gaussian or total is None:
            return self.plans[0].epsilon
        return equal_share(int(hats_of_one(self, contributions, users.unit)), total)

    def day_epsilons(self, contributions: Contributions, unit: Unit, /) -> QueryEpsilons | None:
        if not self.query.question.statistic.takes_noise_scale or self.gaussian:
            return None
        rows = self.retained.rows if self.retained else None
        return query_epsilons(contributions, self.micro_epsilons(contributions.hats), unit, rows)


def lattice_error_of(statistic: AnyStatistic, plans: Iterable[AnyHatPlan]) -> float:
    """H of all these HATs (method 13.8)."""
    vectors = ((*statistic.gaussian_vector(one), one.rho) for one in plans if one.rho)
    return sum(lattice_error(moved, rho, numbers) for moved, numbers, rho in vectors)


def _lattice_error_of_plan(plan: Separate) -> float:
    return lattice_error_of(plan.query.question.statistic, plan.plans)


def _draws_gaussian(plan: Separate) -> bool:
    return any(one.rho for one in plan.plans)
