"""What privacy.json tells of each told, against itself, the summary and the rows (method 14.5).

From the format on that tells it; `made_by` is null where the draws were stored before it was kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from core.accounting.budgets import EQUAL, JOINT, NOISE_SCALE, OPTIMAL_DIVISION, PER_HAT
from core.bundle.csv_columns import EPSILON_SUMMARY
from core.bundle.interval_rules import COVERS, COVERS_NOISE, INTERVAL_RULES, NOISE_ONLY
from core.bundle.release_result import SUPPRESSED
from core.privacy import Unit
from core.signed.bundle_names import PRIVACY
from core.signed.findings import json_object, require
from core.statistics.base import Measure
from core.statistics.registry import published_statistics
from core.verify.folder import BundleFolder, TableRow
from core.verify.gaussian_hats import check_gaussian_hats
from core.verify.tables import is_plain, rows_of

_ASKED = {PER_HAT: "epsilon", NOISE_SCALE: "noise_scale"}
_ASKED |= dict.fromkeys((EQUAL, OPTIMAL_DIVISION, JOINT), "total")
"""How a budget was divided -> what was asked for."""
_STATED = ("statistic", "mechanism", "sensitivity", "noise_scale", "contribution_cap")
"""Facts that the summary tells too."""
_MADE_BY = {
    "parameters", "asked", "m_ub", "dwell_correction", "suppression", "day_epsilons", "details", "measures",
}  # fmt: skip
_DAYS = (
    "epsilon_per_hat_day",
    "epsilon_per_day_of_visited_hats",
    "epsilon_per_day_of_k_day_hats",
    "epsilon_per_vehicle",
)
_SCALES = ("smallest", "median", "largest")
_ROUNDING = Decimal("0.000001")
"""A summary tells six decimals, privacy.json nine digits."""


def check_queries(folder: BundleFolder) -> None:
    """Raises Finding unless what made each query has its shape, and agrees with summary and data."""
    document = json_object(PRIVACY, folder.read(PRIVACY))
    rule, listed = document.get("interval_rule"), _objects(document.get("queries"))
    require(
        isinstance(rule, str) and rule in INTERVAL_RULES, f"{PRIVACY}: the rule of the intervals is unknown"
    )
    summary: dict[str, dict[str, TableRow]] = {}
    for row in rows_of(folder.summary, folder):
        summary.setdefault(row["query_id"], {})[row["unit"]] = row
    named = [_text(told, "query_id") for told in listed]
    require(
        sorted(named) == sorted(summary), f"{PRIVACY} and {EPSILON_SUMMARY.path} tell of different queries"
    )
    accuracies = {_text(one, "query_id"): one for one in _objects(document.get("accuracy"))}
    for told in listed:
        query_id = told["query_id"]
        require(query_id in accuracies, f"{PRIVACY} states no accuracy of {query_id}")
        _check_query(told, summary[query_id], folder, Unit(_text(document, "privacy_unit")))
        covers = told.get("interval_covers")
        _holds(
            covers in COVERS and (rule != NOISE_ONLY or covers == COVERS_NOISE), query_id, "interval_covers"
        )
        _check_accuracy(accuracies[query_id], told, folder)


def _check_query(told: dict[str, Any], rows: dict[str, TableRow], folder: BundleFolder, unit: Unit) -> None:
    query_id = told["query_id"]
    for row in rows.values():
        for name in _STATED:
            value = told.get(name)
            _holds(("" if value is None else str(value)) == row[name], query_id, name)
    charges = {name: row["epsilon"] for name, row in rows.items()}
    _holds(told.get("charges") == charges, query_id, "charges")
    for name, column in (("charges_pure", "epsilon_pure"), ("charges_rho", "rho")):
        parts = {unit: row[column] for unit, row in rows.items() if column in row}
        _holds(told.get(name, {}) == parts, query_id, name)
    deltas = {row["delta"] for row in rows.values()}
    _holds({told.get("delta")} == deltas, query_id, "delta")
    gaussian = any(Decimal(row.get("rho", "0")) for row in rows.values())
    _holds(("Gaussian" in _text(told, "noise")) is gaussian, query_id, "noise")
    made_by = told.get("made_by", "")
    if made_by is None:
        return
    _holds(isinstance(made_by, dict) and made_by.keys() == _MADE_BY, query_id, "made_by")
    _check_budget(told, Decimal(charges[unit.value]), folder)
    _check_counts(told)
    _check_parameters(told)
    _check_measures(told, folder)
    if gaussian and told["budget_division"] != JOINT:
        check_gaussian_hats(told, [Decimal(row["epsilon"]) for row in _published(told, folder)])


def _check_budget(told: dict[str, Any], charge: Decimal, folder: BundleFolder) -> None:
    """What was asked for fits how it was divided, the rows, and the charge of the protected unit."""
    query_id, division = told["query_id"], told.get("budget_division")
    asked = told["made_by"]["asked"]
    wanted = _ASKED.get(division, "") if isinstance(division, str) else ""
    _holds(isinstance(asked, dict) and list(asked) == [wanted], query_id, "asked")
    amount = _amount(asked[wanted], query_id, "asked")
    _holds(amount > 0, query_id, "asked")
    if wanted == "total":
        _holds(charge <= amount, query_id, "total")
    if wanted == "epsilon":
        spent = {row["epsilon"] for row in _published(told, folder)}
        _holds(spent <= {asked[wanted]}, query_id, "epsilon")


def _published(told: dict[str, Any], folder: BundleFolder) -> list[TableRow]:
    table = folder.statistics.get(told["statistic"])
    _holds(table is not None, told["query_id"], "statistic")
    return [] if table is None else [row for row in rows_of(table, folder) if row["status"] != SUPPRESSED]


def _places(told: dict[str, Any], folder: BundleFolder) -> set[tuple[str, ...]]:
    """HATs, or regions, with numbers."""
    place = folder.statistics[told["statistic"]].place if told["statistic"] in folder.statistics else ()
    return {tuple(row[name] for name in place) for row in _published(told, folder)}


def _check_counts(told: dict[str, Any]) -> None:
    """Records kept, HATs of a unit before and after the suppression, and the epsilons of a day."""
    query_id, made_by = told["query_id"], told["made_by"]
    _holds(isinstance(made_by["dwell_correction"], bool), query_id, "dwell_correction")
    caps = made_by["m_ub"]
    if caps is not None:
        least, most = _whole(caps, ("smallest", "largest"), query_id, "m_ub")
        _holds(1 <= least <= most == told["contribution_cap"], query_id, "m_ub")
    else:
        _holds(told["contribution_cap"] is None, query_id, "m_ub")
    if made_by["suppression"] is not None:
        before, after = _whole(made_by["suppression"], ("hats_before", "hats_after"), query_id, "suppression")
        _holds(1 <= after <= before, query_id, "suppression")
    days = made_by["day_epsilons"]
    if days is not None:
        _holds(isinstance(days, dict) and days.keys() == {"k_day", *_DAYS}, query_id, "day_epsilons")
        per_hat, visited, bound, _ = (_amount(days[name], query_id, name) for name in _DAYS)
        (hats,) = _whole({"k_day": days["k_day"]}, ("k_day",), query_id, "k_day")
        _holds(0 < per_hat <= visited <= bound <= hats * per_hat, query_id, "day_epsilons")


def _check_parameters(told: dict[str, Any]) -> None:
    """Parameters and details are plain values; a tree reaches every bin."""
    query_id, made_by = told["query_id"], told["made_by"]
    for name in ("parameters", "details"):
        told = made_by[name]
        _holds(isinstance(told, dict) and all(map(_is_value, told.values())), query_id, name)
    factors, bins = made_by["details"].get("branching_factors"), made_by["parameters"].get("bins")
    if factors is not None:
        whole = isinstance(factors, list) and all(_is_whole(one) and one >= 2 for one in factors)
        _holds(whole and _is_whole(bins) and math.prod(factors) >= bins, query_id, "branching_factors")


def _check_measures(told: dict[str, Any], folder: BundleFolder) -> None:
    """Sensitivity and scale of each measure; those of the first are the summary's."""
    query_id, listed = told["query_id"], _objects(told["made_by"]["measures"])
    _holds(
        [one.get("measure") for one in listed] == [one.name for one in _measures(told, folder)],
        query_id,
        "measures",
    )
    for number, one in enumerate(listed):
        for name in ("sensitivity", "noise_scale"):
            figures = _figures(one.get(name), _SCALES, query_id, name)
            if number == 0:
                _holds(_alike(figures[-1], Decimal(told[name])), query_id, name)


def _check_accuracy(accuracy: dict[str, Any], told: dict[str, Any], folder: BundleFolder) -> None:
    query_id = told["query_id"]
    _holds(accuracy.get("hats_published") == len(_places(told, folder)), query_id, "hats_published")
    listed = _objects(accuracy.get("measures"))
    _holds(
        [one.get("measure") for one in listed] == [one.name for one in _measures(told, folder)],
        query_id,
        "accuracy",
    )
    for one in listed:
        for name in ("typical_error", "error_at_worst"):
            if told["made_by"] is None:
                _holds(one.get(name, "") is None, query_id, name)
            else:
                _figures(one.get(name), ("median", "largest"), query_id, name)


def _measures(told: dict[str, Any], folder: BundleFolder) -> Sequence[Measure]:
    statistic = published_statistics().get(told["statistic"])
    _holds(statistic is not None, told["query_id"], "statistic")
    return statistic.of(folder.quantity).measures if statistic else ()


def _objects(value: Any) -> list[dict[str, Any]]:
    require(
        isinstance(value, list) and all(isinstance(one, dict) for one in value),
        f"{PRIVACY}: queries, measures and accuracy are lists of objects",
    )
    return list(value)


def _text(document: dict[str, Any], name: str) -> str:
    value = document.get(name)
    require(isinstance(value, str), f"{PRIVACY}: {name} is no text")
    return str(value)


def _amount(value: Any, query_id: str, name: str) -> Decimal:
    _holds(isinstance(value, str) and is_plain(value), query_id, name)
    return Decimal(value)


def _whole(value: Any, names: Iterable[str], query_id: str, what: str) -> list[int]:
    """The integers of an object that has just these names."""
    listed = list(names)
    _holds(isinstance(value, dict) and list(value) == listed, query_id, what)
    _holds(all(_is_whole(value[name]) for name in listed), query_id, what)
    return [value[name] for name in listed]


def _figures(value: Any, names: Sequence[str], query_id: str, what: str) -> list[Decimal]:
    """The amounts of an object that has just these names, which never fall."""
    _holds(isinstance(value, dict) and list(value) == list(names), query_id, what)
    amounts = [_amount(value[name], query_id, what) for name in names]
    _holds(amounts == sorted(amounts), query_id, what)
    return amounts


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_value(value: Any) -> bool:
    """A text, a number, a truth, or a list of numbers."""
    if isinstance(value, list):
        return all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)
    return isinstance(value, str | int | float)


def _alike(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _ROUNDING + _ROUNDING * other


def _holds(holds: bool, query_id: str, what: str) -> None:
    require(holds, f"{PRIVACY}: {what} of the query {query_id} does not fit the rest of the bundle")
