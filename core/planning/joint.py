"""A plan of all HATs as one release, or of the regions that they are merged into (city-release 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.accounting.budgets import JOINT
from core.accounting.epsilon_rounding import plain
from core.arrays import Floats, Ints
from core.city.city_charge import hat_epsilons
from core.city.city_draw import draw_city
from core.city.city_plan import CityPlan
from core.city.noise_kind import NoiseKind
from core.city.regions import Regions
from core.city.vehicle_sums import vehicle_sums
from core.contributions import Contributions, PairTable, UserTable
from core.fixed_point import THOUSAND
from core.mechanisms.covariate import PublicSign
from core.mechanisms.tokens import TOKENS
from core.noise.source import Scopes
from core.planning.city_query import city_allowances, draw_city_query
from core.planning.hat_figures import HatFigures, hat_figures
from core.planning.hats_of_one import equal_share, most_published_hats
from core.planning.query_plan import DrawnRows, QueryPlan
from core.planning.simulated_means import SimulatedDraws, SimulatedMeans
from core.privacy import Allowance
from core.statistics.base import MadeBy, MeasurePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint(QueryPlan):
    """One vector of noise for all HATs; those of a region share its plan."""

    city: CityPlan

    @property
    def gaussian(self) -> bool:
        return self.city.noise.squared

    @property
    def lattice_error(self) -> float:
        return self.city.lattice_error

    @property
    def division(self) -> str:
        return JOINT

    @property
    def merged(self) -> Regions | None:
        return self.city.regions

    @property
    def allowances(self) -> tuple[Allowance, ...]:
        return city_allowances(self.city, self.query.id)

    def draw(
        self,
        _contributions: Contributions,
        users: UserTable,
        _pairs: PairTable,
        _key: bytes,
        noise: Scopes,
        /,
    ) -> DrawnRows:
        statistic = self.query.question.statistic
        name = statistic.measures[0].name
        estimates, drawn = draw_city_query(self.city, users, noise, self.query.id, name)
        if self.regions:
            listed = range(len(self.regions))
            return DrawnRows(rows=tuple(statistic.counted_from_zero(estimates[number]) for number in listed))
        rows = tuple(statistic.counted_from_zero(estimates.get(hat.index, ())) for hat in self.hats)
        order = self._columns()
        corrected = drawn.corrected and drawn.corrected.only(order)
        return DrawnRows(rows=rows, scales=drawn.scale[order], corrected=corrected)

    @property
    def made_by(self) -> Mapping[str, MadeBy]:
        city = self.city
        kind = "rho" if city.noise.squared else "epsilon"
        facts: dict[str, MadeBy] = {
            "noise": city.noise.value,
            "budget_pays_for": f"one vector of {city.pairs.hats} noisy sums, {kind} {plain(city.spend)}",
            "tokens_of_a_vehicle": TOKENS,
            "steps_of_the_range": city.grid.largest,
        }
        return facts if city.gap is None else facts | {"gap_to_the_best_shares": f"{city.gap:.4f}"}

    @property
    def half_widths(self) -> Floats:
        of_each = np.array([(one.lead.noise_scale, one.lead.interval_bias or 0.0) for one in self.plans])
        # the HATs of a region share its plan, and each one that is different is searched for
        different, place = np.unique(of_each, axis=0, return_inverse=True)
        return self.city.noise.half_width(*different.T)[place.reshape(-1)]

    @property
    def noise_kind(self) -> NoiseKind:
        return self.city.noise

    @property
    def hat_figures(self) -> Mapping[int, HatFigures]:
        return hat_figures(self.city)

    @property
    def errors_as_a_map(self) -> Floats:
        """What the number of each published HAT, or of its region, typically misses of the HAT's mean: noise,
        and what the region hides.
        """
        city, regions = self.city, self.city.regions
        if regions is None:
            return np.array([one.lead.typical_error for one in self.plans])
        column = regions.of_hat[[hat.index for hat in self.published]]
        errors = city.noise.typical_error(city.scale, np.hypot(city.bias.typical, regions.spreads))
        return np.minimum(errors, city.upper_kmh)[column]

    def simulate(self, users: UserTable, draws: SimulatedDraws) -> SimulatedMeans:
        """So many releases of the means, from noise that protects nobody: a HAT of a region has its region's.

        A city that is looked at twice is drawn release by release, as the second look follows the first.
        """
        city, column = self.city, self.city.columns(users.first.size - 1)
        sums = vehicle_sums(users, column)
        order = column[[hat.index for hat in self.published]]
        if city.looks is None:
            noise = draws.many(draws.seed, draws.releases)
            values = draw_city(city, sums, lambda _: noise).unclamped[:, order] / THOUSAND
            return SimulatedMeans(values, np.broadcast_to(city.scale[order], values.shape))
        drawn = []
        for release in range(draws.releases):
            one = draws.one(draws.seed + release)
            drawn.append(draw_city(city, sums, lambda _, noise=one: noise))  # type: ignore[misc]
        return SimulatedMeans(
            np.array([one.unclamped[order] for one in drawn]) / THOUSAND,
            np.array([one.scale[order] for one in drawn]),
            tuple(one.corrected.only(order) for one in drawn if one.corrected),
        )

    def epsilon_alone(self, _contributions: Contributions, users: UserTable, /) -> Decimal:
        total = self.query.budget.total
        return (
            self.plans[0].epsilon if total is None else equal_share(most_published_hats(self, users), total)
        )

    @property
    def largest_error(self) -> float:
        return self.city.noise.mean_of_scale * float(self.city.scale.max())

    @property
    def region_epsilons(self) -> Sequence[Decimal]:
        return hat_epsilons(self.city)

    def biases(self, leads: Sequence[MeasurePlan]) -> tuple[Floats, Floats]:
        """Of a city that is looked at twice those of its weights: smoothing corrects for the second look."""
        if self.city.looks is None:
            return QueryPlan.biases(self, leads)
        order = self._columns()
        return self.city.bias.interval[order], self.city.bias.typical[order]

    def smoothed_sign(self, _drawn: DrawnRows | None, /) -> PublicSign | None:
        return self.city.places.sign and self.city.places.sign.take(self._columns())

    def _columns(self) -> Ints:
        """Of the published HATs in the plan of the city, where they are no regions."""
        place = {index: place for place, index in enumerate(self.city.hat_index.tolist())}
        return np.array([place[hat.index] for hat in self.published])
