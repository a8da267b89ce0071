"""Smoothing of a planned query's numbers: what it will give, and what it gives (city-release 9)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from core.city.city_draw import Corrected
from core.city.smoothing import Smoothed, SmoothingFacts, foretold_error, smooth
from core.errors import InternalError
from core.fixed_point import THOUSAND
from core.hats.places import HEXAGONS
from core.mechanisms.covariate import Covariate, Slope
from core.mechanisms.smooth_field import SMOOTH
from core.planning.from_constants import FromConstants
from core.planning.joint_shares import JointShares
from core.planning.query_plan import DrawnRows, QueryPlan
from core.planning.share_percentiles import smoothed_percentiles
from core.progress import Progress, part, silent
from core.shares.share_model import expected_shares
from core.shares.share_smoothing import SLOPE, adding_up, foretold_share_errors, smooth_shares
from core.statistics.base import Estimate, Measure
from core.statistics.ranges import Ranges
from core.statistics.share import SHARE_DECIMALS


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothedRows:
    """Numbers of every selected HAT with the smoothed one, and what the model was fitted to."""

    rows: tuple[tuple[Estimate, ...], ...]
    spreads: tuple[float, ...]
    """Place, hour of the day, place and hour, HAT; in the value's unit."""
    slope: Slope | None
    """Of the covariate that rows tell; None where there is none."""
    spreads_of_ranges: tuple[tuple[float, ...], ...] = ()
    """Of shares: those of each range, of which `spreads` has the medians."""


def is_smoothed(plan: QueryPlan) -> bool:
    """Whether a plan asks for it, and states for every HAT what its noise and its bias are; of no regions."""
    return plan.once(_can_be_smoothed)


def _can_be_smoothed(plan: QueryPlan) -> bool:
    asked = getattr(plan.query.question.params, SMOOTH, False) and not plan.regions
    return bool(asked) and all(one.lead.interval_bias is not None for one in plan.plans)


def expected_error(plan: QueryPlan, progress: Progress = silent, drawn: DrawnRows | None = None) -> Floats:
    """What each published HAT's smoothed number will typically miss, from public counts; shape (G,).

    Nearly so in a large city. drawn: of a plan of relation `user`, where released numbers alone tell how much
    noise a mean has. Call it where `is_smoothed`. Raises what `progress` raises.
    """
    shares = _facts_of_shares(plan, drawn)
    if shares is not None:
        return np.asarray(foretold_share_errors(shares, progress).max(axis=1), np.float64)
    return foretold_error(smoothing_facts(plan, drawn), progress)


def with_expected_error(plan: QueryPlan, progress: Progress = silent) -> QueryPlan:
    """The plan with what its smoothed numbers will typically miss; as it is where nothing is smoothed.

    Raises what `progress` raises.
    """
    if plan.smoothed_errors is not None or not is_smoothed(plan) or plan.noise_follows_draw:
        return plan
    return plan.once(_with_error, progress)


def _with_error(plan: QueryPlan, progress: Progress) -> QueryPlan:
    errors = tuple(expected_error(plan, progress).tolist())
    return plan.outlived_by(dataclasses.replace(plan, smoothed_errors=errors))


def smooth_rows(plan: QueryPlan, drawn: DrawnRows, progress: Progress = silent) -> SmoothedRows:
    """The drawn numbers with the smoothed ones.

    Call it where `is_smoothed`. Raises what `progress` raises.
    """
    shares = _shares_of(plan, drawn)
    if shares is not None:
        return _smooth_share_rows(plan, shares, drawn, progress)
    measure = smoothed_measure(plan)
    first = [row[0] for row in drawn.rows if row]
    noisy = [item.unclamped - measure.least for item in first if item.unclamped is not None]
    values = np.array(noisy, np.float64) / THOUSAND if drawn.unbiased is None else drawn.unbiased
    facts = smoothing_facts(plan, drawn)
    found = smooth_drawn(facts, values, drawn.corrected, progress)
    smoothed = iter(_estimates(found, measure, plan.upper_bound, facts.covariate))
    return SmoothedRows(
        rows=tuple((*row, next(smoothed)) if row else () for row in drawn.rows),
        spreads=tuple(float(one) for one in found.spreads),
        slope=None if facts.covariate is None else facts.covariate.slope,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shares:
    """Released shares as smoothing takes them: of each range, and below each inner edge."""

    ranges: Ranges
    facts: tuple[SmoothingFacts, ...]
    values: Floats
    """Shape (published, J)."""
    facts_below: tuple[SmoothingFacts, ...]
    """Empty where no percentile is asked for."""
    values_below: Floats


def _shares_of(plan: QueryPlan, drawn: DrawnRows) -> _Shares | None:
    """None where the numbers are no shares."""
    if isinstance(plan, JointShares):
        ranges, asked = plan.shares.ranges, bool(plan.query.question.params.percentiles)
        first = [row[: len(ranges)] for row in drawn.rows if row]
        values = np.array([[item.unclamped or 0 for item in row] for row in first], np.float64)
        values /= 10**SHARE_DECIMALS
        return _Shares(
            ranges=ranges,
            facts=plan.smoothing_facts(),
            values=values,
            facts_below=plan.smoothing_facts(cumulated=True) if asked else (),
            values_below=np.cumsum(values, axis=1)[:, :-1],
        )
    facts = _facts_of_shares(plan, drawn)
    if not isinstance(plan, FromConstants) or plan.ranges is None or facts is None or drawn.unbiased is None:
        return None
    many = len(plan.ranges)
    return _Shares(
        ranges=plan.ranges,
        facts=facts[:many],
        values=drawn.unbiased[:, :many],
        facts_below=facts[many:],
        values_below=drawn.unbiased[:, many:],
    )


def _facts_of_shares(plan: QueryPlan, drawn: DrawnRows | None) -> tuple[SmoothingFacts, ...] | None:
    """Of each range; in relation `user`, where drawing decided the noise, also below each inner edge."""
    if isinstance(plan, JointShares):
        return plan.smoothing_facts()
    if not isinstance(plan, FromConstants) or plan.ranges is None or drawn is None or drawn.scales is None:
        return None
    expected = np.concatenate((expected_shares(plan.ranges), expected_shares(plan.ranges.cumulated())))
    public = smoothing_facts(plan, dataclasses.replace(drawn, scales=drawn.scales[:, 0]))
    covariate = public.covariate and dataclasses.replace(public.covariate, slope=SLOPE)
    variances = drawn.scales**2 * (1.0 if plan.gaussian else 2.0)
    return tuple(
        dataclasses.replace(
            public,
            noise_variance=variance,
            covariate=covariate,
            expected_share=share,
        )
        for variance, share in zip(variances.T, expected.tolist(), strict=False)
    )


def _smooth_share_rows(
    plan: QueryPlan, shares: _Shares, drawn: DrawnRows, progress: Progress
) -> SmoothedRows:
    """Range by range; a row has its raw numbers first, then the smoothed ones."""
    measure, unit = smoothed_measure(plan), 10**SHARE_DECIMALS
    raw = [row[: len(shares.ranges)] for row in drawn.rows if row]
    found = smooth_shares(
        shares.facts, shares.values, part(progress, 0.0, 0.5 if shares.facts_below else 1.0)
    )
    if shares.ranges.tile:
        found = adding_up(found)
    percentiles: list[tuple[Estimate, ...]] = [()] * len(raw)
    if shares.facts_below:
        below = smooth_shares(shares.facts_below, shares.values_below, part(progress, 0.5, 1.0))
        percentiles = smoothed_percentiles(
            shares.ranges, plan.query.question, below.values, below.lows, below.highs
        )
    covariate = shares.facts[0].covariate
    columns = zip(
        raw,
        np.rint(found.values * unit).astype(np.int64).tolist(),
        np.floor(found.lows * unit).astype(np.int64).tolist(),
        np.ceil(found.highs * unit).astype(np.int64).tolist(),
        _signs(covariate, len(raw)),
        percentiles,
        strict=True,
    )
    smoothed = iter(
        (
            *(
                Estimate(measure=measure.name, value=value, low=low, high=high, sign=sign, label=item.label)
                for item, value, low, high in zip(row, values, lows, highs, strict=True)
            ),
            *more,
        )
        for row, values, lows, highs, sign, more in columns
    )
    return SmoothedRows(
        rows=tuple((*row, *next(smoothed)) if row else () for row in drawn.rows),
        spreads=tuple(float(one) for one in np.median(found.spreads, axis=0)),
        slope=None if covariate is None else covariate.slope,
        spreads_of_ranges=tuple(map(tuple, found.spreads.tolist())),
    )


def _signs(covariate: Covariate | None, rows: int) -> list[int] | list[None]:
    """Thousandths; None where there is no sign."""
    if covariate is None:
        return [None] * rows
    signs: list[int] = np.rint(covariate.standardised * THOUSAND).astype(np.int64).tolist()
    return signs


def smooth_drawn(
    facts: SmoothingFacts, values: Floats, corrected: Corrected | None, progress: Progress = silent
) -> Smoothed:
    """values: unclamped, km/h above the lower bound, shape (G,); corrected: of two looks.

    Raises what `progress` raises.
    """
    given = facts.with_values(values)
    if corrected is None:
        return smooth(given, progress)
    return smooth(corrected.input(facts), progress, for_values=given)


def smoothed_measure(plan: QueryPlan) -> Measure:
    """What the smoothed number is called. Raises InternalError for a statistic that has none."""
    measure = plan.query.question.statistic.smoothed
    if measure is None:
        raise InternalError("this statistic is not smoothed")
    return measure


def _estimates(
    found: Smoothed, measure: Measure, upper_bound: int, covariate: Covariate | None
) -> list[Estimate]:
    """In thousandths above the lower bound's; ends are rounded outwards."""
    columns = zip(
        np.rint(found.values * THOUSAND).astype(np.int64).tolist(),
        np.floor(found.lows * THOUSAND).astype(np.int64).tolist(),
        np.ceil(found.highs * THOUSAND).astype(np.int64).tolist(),
        _signs(covariate, found.values.size),
        strict=True,
    )
    return [
        Estimate(
            measure=measure.name,
            value=min(value, upper_bound) + measure.least,
            low=low + measure.least,
            high=min(high, upper_bound) + measure.least,
            sign=sign,
        )
        for value, low, high, sign in columns
    ]


def smoothing_facts(plan: QueryPlan, drawn: DrawnRows | None = None) -> SmoothingFacts:
    """What is public of the published HATs' numbers, each of which tells its noise and its bias.

    Of a city that is looked at twice the bias is that of its weights. drawn: what the noise gave, where
    drawing decided how much of it there is; in relation `user` also which HATs are published.
    """
    hats, scales = plan.smoothed_hats(drawn), None if drawn is None else drawn.scales
    leads = [hat.plan.lead for hat in hats if hat.plan]
    gaussian = plan.gaussian
    interval, typical = plan.biases(leads)
    sign = plan.smoothed_sign(drawn)
    scale = np.array([lead.noise_scale for lead in leads]) if scales is None else scales
    return SmoothingFacts(
        cells=np.array([hat.cell for hat in hats], np.uint64).astype(np.int64),
        hours=np.array([hat.grid.middle(hat.slot) for hat in hats]),
        noise_variance=scale**2 if gaussian else 2.0 * scale**2,
        bias_variance=interval**2,
        typical_bias_variance=typical**2,
        gaussian=gaussian,
        upper_kmh=plan.upper_bound / THOUSAND,
        ids=tuple(hat.name for hat in hats),
        covariate=None if sign is None else sign.standardised(),
        places=plan.hats[0].places if plan.hats else HEXAGONS,
        group=hats[0].grid.combinations([hat.slot for hat in hats]) if hats else None,
        former_spreads=plan.query.former_spreads,
    )
