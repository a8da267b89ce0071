"""Verify: what privacy.json states of each query: intervals' rule, accuracy, the summary (method 14.5).

From the format on that tells it; `made_by` is null where the draws were stored before it was recorded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from core.accounting.budgets import EQUAL, JOINT, NOISE_SCALE, OPTIMAL_DIVISION, PER_HAT
from core.accounting.epsilon_rounding import plain
from core.bundle.csv_columns import EPSILON_SUMMARY
from core.bundle.interval_rules import COVERS, COVERS_NOISE, INTERVAL_RULES, NOISE_ONLY
from core.bundle.release_result import SUPPRESSED
from core.bundle.stated import (
    FirstStatement,
    SecondStatement,
    StatedAccuracy,
    StatedMadeBy,
    StatedQuery,
    UnitAmounts,
)
from core.privacy import Unit
from core.signed.findings import require
from core.statistics.base import Measure
from core.statistics.registry import published_statistics
from core.verify.folder import BundleFolder, TableRow
from core.verify.gaussian_hats import check_gaussian_hats, require_fit
from core.verify.tables import rows_of

_ASKED = {PER_HAT: "epsilon", NOISE_SCALE: "noise_scale"}
_ASKED |= dict.fromkeys((EQUAL, OPTIMAL_DIVISION, JOINT), "total")
"""How a budget was divided -> what was asked for."""
_STATED = ("statistic", "mechanism", "sensitivity", "noise_scale", "contribution_cap")
"""Facts that the summary tells too."""
_ROUNDING = Decimal("0.000001")
"""A summary tells six decimals, privacy.json nine digits."""


def check_queries(folder: BundleFolder, stated: FirstStatement) -> None:
    """Raises Finding unless what made each query agrees with summary and data.

    stated: a format that tells nothing of it holds.
    """
    if not isinstance(stated, SecondStatement):
        return
    rule = stated.interval_rule
    require(rule in INTERVAL_RULES, "{privacy}: the rule of the intervals is unknown")
    summary: dict[str, dict[str, TableRow]] = {}
    for row in rows_of(folder.summary, folder):
        summary.setdefault(row["query_id"], {})[row["unit"]] = row
    require(
        sorted(query.query_id for query in stated.queries) == sorted(summary),
        "{privacy} and {path} disagree about the queries",
        path=EPSILON_SUMMARY.path,
    )
    accuracies = {one.query_id: one for one in stated.accuracy}
    for query in stated.queries:
        query_id, covers = query.query_id, query.interval_covers
        require(query_id in accuracies, "{privacy} states no accuracy of {query_id}", query_id=query_id)
        _check_query(query, summary[query_id], folder, stated.privacy_unit)
        require_fit(
            covers in COVERS and (rule != NOISE_ONLY or covers == COVERS_NOISE), query_id, "interval_covers"
        )
        _check_accuracy(accuracies[query_id], query, folder)


def _check_query(query: StatedQuery, rows: dict[str, TableRow], folder: BundleFolder, unit: Unit) -> None:
    query_id = query.query_id
    for row in rows.values():
        for name in _STATED:
            require_fit(_written(getattr(query, name)) == row[name], query_id, name)
    for name, column in (("charges", "epsilon"), ("charges_pure", "epsilon_pure"), ("charges_rho", "rho")):
        parts = {unit: row[column] for unit, row in rows.items() if column in row}
        require_fit(_texts(getattr(query, name)) == parts, query_id, name)
    require_fit({plain(query.delta)} == {row["delta"] for row in rows.values()}, query_id, "delta")
    gaussian = any(Decimal(row.get("rho", "0")) for row in rows.values())
    require_fit(("Gaussian" in query.noise) is gaussian, query_id, "noise")
    made_by = query.made_by
    if made_by is None:
        return
    _check_budget(query, made_by, folder, unit)
    _check_counts(query, made_by)
    _check_tree(query_id, made_by)
    _check_measures(query, made_by, folder)
    if gaussian and query.budget_division != JOINT:
        check_gaussian_hats(query, made_by, [Decimal(row["epsilon"]) for row in _published(query, folder)])


def _written(value: str | int | Decimal | None) -> str:
    """A fact as the summary has it."""
    if value is None:
        return ""
    return plain(value) if isinstance(value, Decimal) else str(value)


def _texts(amounts: UnitAmounts | None) -> dict[str, str]:
    return {} if amounts is None else {unit.value: plain(one) for unit, one in amounts.by_unit.items()}


def _check_budget(query: StatedQuery, made_by: StatedMadeBy, folder: BundleFolder, unit: Unit) -> None:
    """What was asked for fits how it was divided, the rows, and the charge of the protected unit."""
    query_id, (asked, amount) = query.query_id, made_by.asked
    require_fit(asked == _ASKED.get(query.budget_division) and amount > 0, query_id, "asked")
    if asked == "total":
        require_fit(query.charges.by_unit[unit] <= amount, query_id, "total")
    if asked == "epsilon":
        spent = {row["epsilon"] for row in _published(query, folder)}
        require_fit(spent <= {plain(amount)}, query_id, "epsilon")


def _published(query: StatedQuery, folder: BundleFolder) -> list[TableRow]:
    table = folder.statistics.get(query.statistic)
    require_fit(table is not None, query.query_id, "statistic")
    return [] if table is None else [row for row in rows_of(table, folder) if row["status"] != SUPPRESSED]


def _places(query: StatedQuery, folder: BundleFolder) -> set[tuple[str, ...]]:
    """HATs, or regions, with numbers."""
    place = folder.statistics[query.statistic].place if query.statistic in folder.statistics else ()
    return {tuple(row[name] for name in place) for row in _published(query, folder)}


def _check_counts(query: StatedQuery, made_by: StatedMadeBy) -> None:
    """Records retained, HATs of a unit before and after the suppression, and the epsilons of a day."""
    query_id, caps, dropped, days = query.query_id, made_by.m_ub, made_by.suppression, made_by.day_epsilons
    if caps is not None:
        require_fit(1 <= caps.smallest <= caps.largest == query.contribution_cap, query_id, "m_ub")
    else:
        require_fit(query.contribution_cap is None, query_id, "m_ub")
    if dropped is not None:
        require_fit(1 <= dropped.hats_after <= dropped.hats_before, query_id, "suppression")
    if days is not None:
        most = days.hats_per_day * days.per_hat_day
        rising = 0 < days.per_hat_day <= days.per_day <= days.per_day_bound <= most
        require_fit(rising, query_id, "day_epsilons")


def _check_tree(query_id: str, made_by: StatedMadeBy) -> None:
    """A tree reaches every bin."""
    factors, bins = made_by.details.get("branching_factors"), made_by.parameters.get("bins")
    if factors is not None:
        reaches = (
            isinstance(factors, tuple)
            and all(type(one) is int and one >= 2 for one in factors)
            and type(bins) is int
            and math.prod(factors) >= bins
        )
        require_fit(reaches, query_id, "branching_factors")


def _check_measures(query: StatedQuery, made_by: StatedMadeBy, folder: BundleFolder) -> None:
    """Sensitivity and scale of each measure; those of the first are the summary's."""
    query_id, listed = query.query_id, made_by.measures
    named = [one.measure for one in listed]
    require_fit(named == [one.name for one in _measures(query, folder)], query_id, "measures")
    for number, one in enumerate(listed):
        for name, figures, most in (
            ("sensitivity", one.sensitivity, query.sensitivity),
            ("noise_scale", one.noise_scale, query.noise_scale),
        ):
            require_fit(_rise(figures) and (number > 0 or _alike(figures.largest, most)), query_id, name)


def _check_accuracy(accuracy: StatedAccuracy, query: StatedQuery, folder: BundleFolder) -> None:
    query_id = query.query_id
    require_fit(accuracy.hats_published == len(_places(query, folder)), query_id, "hats_published")
    named = [one.measure for one in accuracy.measures]
    require_fit(named == [one.name for one in _measures(query, folder)], query_id, "accuracy")
    for one in accuracy.measures:
        for name, figures in (("typical_error", one.typical_error), ("error_at_worst", one.error_at_worst)):
            known = figures is not None
            require_fit(known is (query.made_by is not None) and _rise(figures or ()), query_id, name)


def _measures(query: StatedQuery, folder: BundleFolder) -> Sequence[Measure]:
    statistic = published_statistics().get(query.statistic)
    require_fit(statistic is not None, query.query_id, "statistic")
    return statistic.of(folder.quantity).measures if statistic else ()


def _rise(figures: Sequence[Decimal]) -> bool:
    return list(figures) == sorted(figures)


def _alike(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _ROUNDING + _ROUNDING * other
