"""How a query spent its total and how far its numbers are off, in one sentence (method 14.3)."""

from __future__ import annotations

import re
from decimal import Decimal

from core.accounting.budgets import JOINT
from core.accounting.epsilon_rounding import glance, plain
from core.bounding.bounding_facts import BoundingFacts
from core.bundle.contradicted_promise import ContradictedPromise, contradicted_promise
from core.bundle.data_files import measured_statistic
from core.bundle.parameter_texts import parameters_text, value_text
from core.bundle.query_facts import MeasureFacts, QueryFacts, ScaleFigures
from core.bundle.release_result import QueryResult, Release
from core.bundle.smoothed_facts import SmoothedFacts, caveat
from core.counted import count_of
from core.mechanisms.public_model import foretold_range
from core.mechanisms.registry import require_mechanism
from core.privacy import Relation, Unit
from core.statistics.base import Measure
from core.statistics.error_figures import error_scale, unit_of_errors

_DIGITS = 3
_AMOUNT = re.compile(r"[0-9]+\.[0-9]{4,}")
"""Written to its last digit."""
_USER = Relation.USER.value
_ASKED = {
    "epsilon": "epsilon {amount} for each hexagon slot",
    "total": "a total epsilon of {amount} per vehicle, divided over its hexagon slots ({division})",
    JOINT: "a total epsilon of {amount} per vehicle, divided over all hexagon slots together",
    _USER: "a total epsilon of {amount} per protected unit, for all candidate hexagon slots together",
    "noise_scale": "a Laplace scale of {amount} asked for in each hexagon slot",
}
_NAMED = {
    "noise": "{text} noise",
    "rho_of_a_hat": "a rho of {text} for each hexagon slot",
    "gap_to_the_best_shares": "shares within a fraction of {text} of the best possible",
}
"""Facts that say nothing without a word beside them."""


def query_sentence(release: Release, query: QueryResult) -> str:
    """Method, parameters, budget, scales, errors, and what the intervals cover; in plain text."""
    statistic = measured_statistic(release, query)
    measure = statistic.measures[0]
    if query.facts is None:
        parts = [
            f"noise scale up to {_with_unit(query.noise_scale, measure)}",
            f"sensitivity up to {_with_unit(query.sensitivity, measure)}",
        ]
    else:
        parts = _parts(query.facts, query, release.unit)
        if query.regions is not None:
            parts += [query.regions.sentence(measure.unit, expected=query.bounding is not None)]
        if query.bounding is not None:
            parts += [query.bounding.sentence(release.unit.value)]
            promise = contradicted_promise(query, release)
            parts += [_bounded_scales(query.facts.measure(measure.name), measure, query.bounding, promise)]
        else:
            parts += [_scales(query.facts.measure(one.name), one) for one in statistic.measures]
    if query.smoothing and statistic.smoothed:
        errors = smoothed_errors_sentence(query.smoothing, statistic.smoothed)
        parts.append(f"{statistic.smoothed.name}: {caveat(release.quantity)}; {errors}")
    by = "" if statistic.method else f" by {require_mechanism(query.mechanism).title}"
    facts = "; ".join([*parts, f"95 % intervals of {query.interval_covers}"])
    return f"{statistic.title}{by}: {facts}."


def errors_known_from(release: Release) -> str:
    """What the typical error of smoothed numbers was computed from, as the start of a sentence."""
    return "Based on the released numbers" if release.relation is Relation.USER else "Based on public counts"


def smoothed_errors_sentence(facts: SmoothedFacts, measure: Measure) -> str:
    """What smoothed numbers typically miss, as far as is public; without a full stop."""
    unit, scale = (unit_of_errors(measure), error_scale(measure)) if measure.percent else (measure.unit, 1)
    unit, expected = f" {unit}" if unit else "", facts.expected_error
    median, largest = (scale * one for one in (expected.median, expected.largest))
    least, most = map(Decimal, foretold_range(float(median)))
    return (
        f"typical error about {_short(median)}{unit} in the median hexagon slot (between {_short(least)} and "
        f"{_short(most)}) and {_short(largest)}{unit} in the least accurate"
    )


def _parts(facts: QueryFacts, query: QueryResult, unit: Unit) -> list[str]:
    """All but the scales."""
    key, amount = facts.asked
    parts = [parameters_text(facts.parameters)]
    way = _ASKED[_USER if query.bounding else JOINT if query.division == JOINT else key]
    parts.append(way.format(amount=glance(amount), division=query.division))
    if facts.m_ub:
        least, most = facts.m_ub
        span = str(least) if least == most else f"{least} to {most}"
        records = "record of one {unit} counts" if span == "1" else "records of one {unit} count"
        parts.append(f"at most {span} {records.format(unit=unit)} in a hexagon slot")
    if facts.suppression:
        before, after = facts.suppression
        spared = f"one {unit} is in at most {count_of(after, 'hexagon slot')} instead of {before}"
        parts.append(
            f"users suppressed, so that {spared}" if after < before else "nobody could be suppressed"
        )
    parts += [
        _NAMED.get(name, "{text}").format(text=_AMOUNT.sub(lambda found: glance(Decimal(found[0])), text))
        for name, text in facts.made_by.items()
        if isinstance(text, str)
    ]
    if factors := facts.made_by.get("branching_factors"):
        parts.append(f"branching factors {value_text(factors)}")
    if facts.dwell_correction:
        parts.append("corrected for vehicles that send more because they stand still")
    return [part for part in parts if part]


def _scales(facts: MeasureFacts, measure: Measure) -> str:
    unit = f" {measure.unit}" if measure.unit else ""
    typical, worst = facts.typical_error, facts.error_at_worst
    return (
        f"{measure.name}: sensitivity {_over_hats(facts.sensitivity)}{unit}, noise scale "
        f"{_over_hats(facts.noise_scale)}{unit}, typical error {_short(typical.median)}{unit} in the median "
        f"hexagon slot and {_short(typical.largest)}{unit} in the least accurate, at worst "
        f"{_short(worst.median)} and {_short(worst.largest)}{unit}"
    )


def _bounded_scales(
    facts: MeasureFacts, measure: Measure, bounding: BoundingFacts, promise: ContradictedPromise | None
) -> str:
    """Of relation `user`: noise of what is summed, and what a number misses where its weight is known."""
    unit, typical = f" {measure.unit}" if measure.unit else "", facts.typical_error
    errors = f"{_short(typical.median)}{unit} {bounding.errors_known_of}"
    if bounding.by_public_counts:
        errors += f" and {_short(typical.largest)}{unit} in the least accurate"
    if promise is not None:
        found = promise.typical_error
        released = (
            "no number is published"
            if found is None
            else f"{_short(found.median)}{unit} in the median published row and "
            f"{_short(found.largest)}{unit} in the least accurate, based on the released numbers"
        )
        errors = f"{released} (the public counts {promise.counts}: they promised {errors})"
    summed = " x ".join(part for part in (measure.unit, bounding.counted) if part)
    return (
        f"{measure.name}: one unit moves the {'numbers' if bounding.weight is None else 'sums'} by at most "
        f"{_over_hats(facts.sensitivity)} {summed}, their noise scale is {_over_hats(facts.noise_scale)} "
        f"{summed}, typical error {errors}"
    )


def _over_hats(figures: ScaleFigures) -> str:
    least, median, largest = map(_short, figures)
    return least if least == largest else f"{least} to {largest} (median {median})"


def _short(amount: Decimal) -> str:
    return plain(Decimal(f"{amount:.{_DIGITS}g}"))


def _with_unit(amount: Decimal, measure: Measure) -> str:
    return f"{_short(amount)} {measure.unit}".strip()
