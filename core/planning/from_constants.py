"""A plan of relation `user`: from public constants, so that no record decides anything of it (method 12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.budgets import JOINT
from core.bounding.bounded_cdf import BoundedCdfPlan
from core.bounding.bounding_facts import BoundingFacts
from core.bounding.enforced_shares import EnforcedSharesPlan
from core.city.regions import Regions
from core.contributions import Contributions, PairTable, UserTable
from core.fixed_point import THOUSAND
from core.mechanisms.covariate import PublicSign
from core.noise.source import Scopes
from core.planning.bounded_query import (
    BoundedPlan,
    bounded_allowances,
    draw_bounded_query,
    spent_in_hats,
)
from core.planning.planned_bounding import bounded_details, bounding_of
from core.planning.query_plan import DrawnRows, PlannedHat, QueryPlan
from core.privacy import Allowance
from core.statistics.base import MadeBy
from core.statistics.cdf_band import ExpectedBand
from core.statistics.ranges import Ranges


@dataclass(frozen=True, slots=True, kw_only=True)
class FromConstants(QueryPlan):
    """Its HATs are candidates, and the noisy weight of each decides whether it is published."""

    bounded: BoundedPlan

    @property
    def gaussian(self) -> bool:
        return self.bounded.noise.squared

    @property
    def lattice_error(self) -> float:
        return self.bounded.lattice_error

    @property
    def division(self) -> str:
        return JOINT

    @property
    def merged(self) -> Regions | None:
        return self.bounded.regions

    @property
    def allowances(self) -> tuple[Allowance, ...]:
        return bounded_allowances(self.bounded, self.query.id)

    def draw(
        self, contributions: Contributions, _users: UserTable, pairs: PairTable, key: bytes, noise: Scopes, /
    ) -> DrawnRows:
        question = self.query.question
        statistic = question.statistic
        drawn = draw_bounded_query(self.bounded, contributions, key, pairs, noise, self.query.id, question)
        return DrawnRows(
            rows=tuple(statistic.counted_from_zero(row) for row in drawn.estimates),
            scales=drawn.scales,
            unbiased=drawn.unbiased,
        )

    @property
    def made_by(self) -> Mapping[str, MadeBy]:
        question = self.query.question
        return bounded_details(self.bounded, question.params, question.statistic.quantity.lower)

    @property
    def half_widths(self) -> None:
        return None

    @property
    def bounding(self) -> BoundingFacts:
        return self.once(_bounding_of)

    @property
    def expected_band(self) -> ExpectedBand | None:
        """Of the least HAT that is published."""
        curves = self.bounded.plan
        if not isinstance(curves, BoundedCdfPlan):
            return None
        quantity = self.query.question.statistic.quantity
        return ExpectedBand(
            edges=(curves.edges + quantity.lower) / THOUSAND,
            shares=curves.model_shares,
            half=curves.half_widths(float(self.bounded.threshold * curves.contribution)),
            start=quantity.lower / THOUSAND,
            unit=quantity.unit,
        )

    @property
    def of_a_usual_hat(self) -> bool:
        return not self.bounded.enforced

    @property
    def noise_follows_draw(self) -> bool:
        return True

    @property
    def region_epsilons(self) -> Sequence[Decimal]:
        return spent_in_hats(self.bounded)

    @property
    def ranges(self) -> Ranges | None:
        """Whose shares its numbers are; None of other numbers."""
        plan = self.bounded.plan
        return plan.ranges if isinstance(plan, EnforcedSharesPlan) else None

    def smoothed_hats(self, drawn: DrawnRows | None, /) -> tuple[PlannedHat, ...]:
        return tuple(self.hats[number] for number in self._smoothed(drawn))

    def smoothed_sign(self, drawn: DrawnRows | None, /) -> PublicSign | None:
        """Of public counts, never of records: where they are typed nothing is stated."""
        sign = self.bounded.sign
        return sign and sign.take(self.bounded.columns[self._smoothed(drawn)])

    def _smoothed(self, drawn: DrawnRows | None) -> list[int]:
        """Numbers of the candidates whose means are smoothed."""
        known = [hat.plan for hat in self.hats] if drawn is None else drawn.rows
        return [number for number, one in enumerate(known) if one]


def _bounding_of(plan: FromConstants) -> BoundingFacts:
    return bounding_of(plan.bounded)
