"""A plan of shares in all HATs as one release (city-release 14)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.accounting.epsilon_rounding import plain
from core.arrays import Floats
from core.city.city_charge import hat_epsilons
from core.city.city_plan import noise_kinds
from core.city.smoothing import SmoothingFacts
from core.contributions import Contributions, PairTable, UserTable
from core.fixed_point import THOUSAND
from core.mechanisms.tokens import TOKENS
from core.noise.source import Scopes
from core.planning.city_query import plan_city_query, shared_budget
from core.planning.counted_city import CountedCity
from core.planning.hat_figures import HatFigures
from core.planning.joint import Joint
from core.planning.query_plan import DrawnRows, Query
from core.planning.share_percentiles import cumulated_scales, percentile_estimates
from core.privacy import Charge
from core.progress import Progress, part
from core.shares.share_draw import atom_counts, draw_shares
from core.shares.share_facts import has_mean, share_facts
from core.shares.share_model import bias_of_city
from core.shares.share_plan import SharePlan
from core.shares.share_smoothing import SharesOfHats
from core.statistics.base import Estimate, HatPlan, MadeBy, MeasurePlan
from core.statistics.intervals import interval_around, outwards
from core.statistics.share import MILLIONTHS, ShareParams, asked_ranges, range_label
from core.texts import text_of


def plan_shares(
    city: CountedCity, published: NDArray[np.bool_], query: Query, params: ShareParams, progress: Progress
) -> tuple[SharePlan, Charge]:
    """The plan of the published HATs, shape (G,), and what it costs.

    Tokens are those of a mean. Where both kinds of noise may be had, that of the smaller median error is
    planned. Raises InputError as a mean's plan does.
    """
    ranges = asked_ranges(params, query.question.statistic.quantity.lower, city.users.upper_bound)
    kinds = noise_kinds(params.tokens, shared_budget(city, query))
    plans = []
    for number, kind in enumerate(kinds):
        tokens = replace(params.tokens, noise=kind.value)
        share = part(progress, number / len(kinds), (number + 1) / len(kinds))
        planned, charge = plan_city_query(city, published, query, tokens, share)
        plans.append((SharePlan(city=planned, ranges=ranges), charge))
    return min(plans, key=lambda one: float(np.median(one[0].typical_error.max(axis=1))))


def share_hat_plans(plan: SharePlan) -> dict[int, HatPlan[None]]:
    """Number of a HAT in the contributions -> what is planned of it: of its ranges the largest figures.

    Noise is that which is drawn; shares that are made to add up to 1 have a little less.
    """
    city = plan.city
    columns = zip(
        city.hat_index.tolist(),
        hat_epsilons(city),
        (plan.ranges.distance * city.largest / city.divisors).tolist(),
        plan.drawn_scale.tolist(),
        plan.bias_bound.max(axis=1).tolist(),
        plan.typical_error.max(axis=1).tolist(),
        plan.bias.typical.max(axis=1).tolist(),
        plan.bias.interval.max(axis=1).tolist(),
        strict=True,
    )
    return {
        index: HatPlan(
            epsilon=epsilon,
            measures=(
                MeasurePlan(
                    sensitivity=sensitivity,
                    noise_scale=scale,
                    bias_bound=bound,
                    typical_error=error,
                    error_at_worst=min(city.noise.mean_of_scale * scale + bound, 1.0),
                    typical_bias=typical,
                    interval_bias=interval,
                ),
            ),
            m_ub=None,
            detail=None,
        )
        for index, epsilon, sensitivity, scale, bound, error, typical, interval in columns
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class JointShares(Joint):
    """One vector of noise for all ranges of all HATs."""

    shares: SharePlan
    """Of `city`."""

    @property
    def lattice_error(self) -> float:
        return self.shares.lattice_error

    def draw(
        self,
        _contributions: Contributions,
        users: UserTable,
        _pairs: PairTable,
        _key: bytes,
        noise: Scopes,
        /,
    ) -> DrawnRows:
        plan, lower = self.shares, self.query.question.statistic.quantity.lower
        counts = atom_counts(users, plan.city.columns(users.first.size - 1), plan.ranges)
        drawn = draw_shares(plan, counts, noise.scope(self.query.id)).unclamped
        labels = [range_label(low + lower, high + lower) for low, high in plan.ranges.listed]
        name = self.query.question.statistic.measures[0].name
        figures = np.stack((drawn, plan.half_widths, plan.bias.typical, plan.deviations), axis=2)
        effective = np.rint(plan.city.effective_vehicles * THOUSAND).astype(np.int64).tolist()
        asked = percentile_estimates(plan, self.query.question, drawn)
        rows = {
            index: (
                *(
                    _estimate(name, label, of_range, vehicles)
                    for label, of_range in zip(labels, of_hat, strict=True)
                ),
                *percentiles,
            )
            for index, of_hat, vehicles, percentiles in zip(
                plan.city.hat_index.tolist(), figures.tolist(), effective, asked, strict=True
            )
        }
        return DrawnRows(rows=tuple(rows.get(hat.index, ()) for hat in self.hats))

    @property
    def made_by(self) -> Mapping[str, MadeBy]:
        city, ranges, question = self.city, self.shares.ranges, self.query.question
        kind = "rho" if city.noise.squared else "epsilon"
        facts: dict[str, MadeBy] = {
            "noise": city.noise.value,
            "budget_pays_for": text_of(
                "one vector of {sums} noisy sums, {kind} {amount}",
                sums=city.pairs.hats * len(ranges),
                kind=kind,
                amount=plain(city.spend),
            ),
            "tokens_of_a_vehicle": TOKENS,
            "most_ranges_that_a_record_leaves_and_enters": ranges.distance,
            **share_facts(ranges, question.statistic.quantity.lower, mean=has_mean(ranges, question.params)),
        }
        return facts if city.gap is None else facts | {"gap_to_the_best_shares": f"{city.gap:.4f}"}

    @property
    def half_widths(self) -> Floats:
        """Of the widest range of each."""
        return np.asarray(self.shares.half_widths.max(axis=1)[self._columns()], np.float64)

    @property
    def hat_figures(self) -> Mapping[int, HatFigures]:
        """Biases are shares, as the numbers are."""
        vehicles = self.city.effective_vehicles.tolist()
        biases = self.shares.bias.typical.max(axis=1).tolist()
        return {
            index: HatFigures(effective_vehicles=effective, modelled_bias=bias)
            for index, effective, bias in zip(self.city.hat_index.tolist(), vehicles, biases, strict=True)
        }

    def smoothing_facts(self, *, cumulated: bool = False) -> tuple[SmoothingFacts, ...]:
        """What is public of the published HATs' shares, range by range, in the order of `published`.

        cumulated: of what lies below the upper end of each range but the last, of ranges that tile.
        """
        plan, city, order = self.shares, self.city, self._columns()
        ranges = plan.ranges.cumulated() if cumulated else plan.ranges
        of_all = SharesOfHats(
            places=city.places,
            noise=city.noise,
            scales=cumulated_scales(plan) if cumulated else np.outer(plan.scale, np.ones(len(ranges))),
            bias=bias_of_city(city, ranges),
            ranges=ranges,
            upper_kmh=city.upper_kmh,
        )
        return tuple(facts.only(order) for facts in of_all.facts)


def _estimate(measure: str, label: int, figures: Sequence[float], effective: int) -> Estimate:
    """In millionths; figures: unclamped share, half-width, and the standard deviations of bias and of all."""
    share, half_width, modelled, deviation = figures
    centre = round(share * MILLIONTHS)
    low, high, informative = interval_around(centre, outwards(half_width * MILLIONTHS), largest=MILLIONTHS)
    return Estimate(
        measure=measure,
        value=min(max(centre, 0), MILLIONTHS),
        low=low,
        high=high,
        unclamped=centre,
        informative=informative,
        label=label,
        modelled_bias=math.ceil(modelled * MILLIONTHS),
        effective_users=effective,
        deviation=round(deviation * MILLIONTHS),
    )
