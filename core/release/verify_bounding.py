"""Whether what a bundle of relation `user` claims follows from its constants (method 12.3, 14.5)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from core.accounting.zcdp import epsilon_of, rho_of
from core.bounding.bounded_mean import SUMS, BoundedMeanPlan
from core.bounding.bounding_charge import above, charges_of_units
from core.bounding.candidates import CandidateHats
from core.bounding.entry_bound import EntryBound
from core.bounding.weight_columns import VEHICLES_DP
from core.city.noise_kind import NoiseKind
from core.hats.cells import parse_cell
from core.hats.slots import ALL, SlotLength, clock, parse_clock
from core.hats.window import Window, build_window
from core.mechanisms.registry import require_mechanism
from core.mechanisms.value_grid import value_grid
from core.privacy import Relation, Unit
from core.release.bounding_facts import (
    NOISY_WEIGHTS,
    BoundingFacts,
    bounding_from_json,
    bounding_to_json,
)
from core.release.csv_columns import DataTable
from core.release.privacy_statement_reader import PrivacyStatement, read_statement
from core.release.release_result import SUPPRESSED
from core.release.verify_folder import BundleFolder
from core.release.verify_tables import TableRow, rows_of
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding, json_object, require, same_json

_ROUNDING = Decimal("0.000001")
"""Scales are told with nine digits, the summary's with six decimals."""


def says_user(folder: BundleFolder) -> bool:
    """Whether the bundle says that it is of relation `user`."""
    try:
        return json_object(PRIVACY, folder.read(PRIVACY)).get("relation") == Relation.USER.value
    except Finding:
        return False


def check_no_weights(folder: BundleFolder) -> None:
    """Raises Finding where a bundle of relation `values` has what only `user` has."""
    document = json_object(PRIVACY, folder.read(PRIVACY))
    told = any("bounding" in one for one in document.get("queries", []) if isinstance(one, dict))
    columns = {name for table in folder.statistics.values() for name in table.header}
    wrong = told or bool(columns & set(NOISY_WEIGHTS))
    require(not wrong, f"{PRIVACY} names another relation than the data have")


def check_bounding(folder: BundleFolder) -> str:
    """Rows are all candidates; charges and scales are those of the constants, whoever was there."""
    document, statement = json_object(PRIVACY, folder.read(PRIVACY)), read_statement(folder)
    require(document.get("unprotected_quantities") == [], f"{PRIVACY}: relation user leaves nothing open")
    for told in document["queries"]:
        facts, table = _facts(told), folder.statistics.get(told["statistic"])
        if table is None:
            raise Finding(f"no data file of {told['statistic']}")
        rows = rows_of(table, folder)
        candidates = _candidates(rows, statement)
        require(
            len(candidates) == len(rows) == facts.candidate_hats and 0 < facts.listed_hats <= len(rows),
            f"{table.path} has not one row for each candidate",
        )
        require(
            document["selection"].get("threshold") == facts.threshold >= 1,
            f"{PRIVACY} names two thresholds",
        )
        _check_rows(rows, table, facts)
        _check_charges(told, facts, statement)
        if facts.weight == VEHICLES_DP:
            _check_scales(told, rows, facts, candidates, statement)
    return "rows, charges and scales follow from the constants"


def _facts(told: dict[str, Any]) -> BoundingFacts:
    """The constants of a query, as they are written. Raises Finding for another shape."""
    stated, wrong = told.get("bounding"), f"{PRIVACY}: the constants of {told['query_id']} have another shape"
    try:
        facts = bounding_from_json(stated if isinstance(stated, dict) else {})
        numbers = (facts.hats_per_vehicle, facts.candidate_hats, facts.listed_hats, facts.threshold)
        same = same_json(bounding_to_json(facts), stated) and all(type(one) is int for one in numbers)
    except (KeyError, TypeError, ValueError, ArithmeticError):
        raise Finding(wrong) from None
    require(same and facts.hats_per_vehicle >= 1 and facts.spend > 0, wrong)
    mechanism = require_mechanism(told["mechanism"])
    require(Relation.USER in mechanism.relations, f"{PRIVACY}: {mechanism.key} is of another relation")
    return facts


def _candidates(rows: list[TableRow], statement: PrivacyStatement) -> CandidateHats:
    """Every cell of the rows in every slot of the window."""
    window = _window(statement)
    cells = sorted({parse_cell(row["h3_cell"], statement.resolution, where=PRIVACY) for row in rows})
    slots = {window.grid.slot_of(parse_clock(row["slot_start"], where=PRIVACY)) for row in rows}
    require(slots == set(window.slots), "the rows have not every slot of the window")
    return CandidateHats.every_slot(tuple(cells), window)


def _window(statement: PrivacyStatement) -> Window:
    first, last = map(clock, statement.hours)
    start, end = statement.hours
    length: SlotLength = ALL if statement.slot_minutes == end - start else statement.slot_minutes
    return build_window(statement.ranges, hours=(first, last), slot_minutes=length)


def _check_rows(rows: list[TableRow], table: DataTable, facts: BoundingFacts) -> None:
    """Published is what reaches the threshold, and nothing is told of the others."""
    require(facts.weight in table.header, f"{table.path} tells no {facts.weight}")
    for number, row in enumerate(rows, start=2):
        weight = row[facts.weight]
        if row["status"] == SUPPRESSED:
            told = [name for name in table.header if table.is_number_of_row(name) and row[name]]
            require(not told, f"{table.path}, line {number}: a suppressed row tells {', '.join(told)}")
        else:
            reached = bool(weight) and Decimal(weight) >= facts.threshold
            require(reached, f"{table.path}, line {number}: a row below the threshold is published")


def _check_charges(told: dict[str, Any], facts: BoundingFacts, statement: PrivacyStatement) -> None:
    """The spend is what was asked for, and the charges follow from it."""
    query_id, noise = told["query_id"], NoiseKind(facts.noise)
    total, delta = Decimal(told["made_by"]["asked"]["total"]), Decimal(told["delta"])
    spend = rho_of(total, delta) if noise.squared else total
    require(facts.spend == spend, f"{PRIVACY}: {query_id} spends another amount than was asked for")
    require(told["made_by"]["details"].get("noise") == noise.value, f"{PRIVACY}: two kinds of noise")
    expected = charges_of_units(
        statement.unit,
        hats=min(facts.hats_per_vehicle, facts.candidate_hats),
        days=statement.days,
        noise=noise,
        spend=spend,
        by_hat=facts.weight == VEHICLES_DP,
    )
    stated = told.get("charges_rho" if noise.squared else "charges_pure", told["charges"])
    for unit in Unit:
        require(
            Decimal(stated[unit.value]) == expected[unit],
            f"{PRIVACY}: the charge of {query_id} for {unit.value} does not follow from the constants",
        )


def _check_scales(
    told: dict[str, Any],
    rows: list[TableRow],
    facts: BoundingFacts,
    candidates: CandidateHats,
    statement: PrivacyStatement,
) -> None:
    """Sensitivities, scales and the epsilon of a HAT, for noise on vehicles and on their means."""
    query_id, noise = told["query_id"], NoiseKind(facts.noise)
    hats = min(facts.hats_per_vehicle, facts.candidate_hats)
    plan = BoundedMeanPlan(
        candidates=candidates,
        bound=EntryBound(hats=hats),
        noise=noise,
        spend=facts.spend,
        threshold=facts.threshold,
        upper_bound=statement.span,
        grid=value_grid(statement.span),
    )
    sensitivity = plan.sensitivities[SUMS] * plan.grid.step_kmh / 2.0
    for name, amount, stated in (
        ("sensitivity", sensitivity, told["sensitivity"]),
        ("noise_scale", plan.sum_scale, told["noise_scale"]),
        ("weight_noise_scale", plan.weight_scale, facts.weight_noise_scale),
    ):
        close = abs(Decimal(stated) - Decimal(amount)) <= _ROUNDING * (1 + Decimal(amount))
        require(close, f"{PRIVACY}: the {name} of {query_id} does not follow from the constants")
    spent = above(facts.spend / hats, noise)
    epsilon = epsilon_of(Decimal(0), spent, Decimal(told["delta"])) if noise.squared else spent
    require(
        {Decimal(row["epsilon"]) for row in rows} == {epsilon},
        f"the epsilons of the rows of {query_id} do not follow from the constants",
    )
