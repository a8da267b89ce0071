"""Verify: what a bundle of relation `user` claims, row by row, against its constants (method 14.5)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from decimal import Decimal
from itertools import repeat
from statistics import median
from typing import NamedTuple

import numpy as np

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.exact_loss import BY_PROFILE, RUNNING, conversion_of
from core.accounting.zcdp import rho_of
from core.arrays import Ints
from core.bounding.bounded_mean import BoundedMeanPlan
from core.bounding.bounding_charge import charges_of_units
from core.bounding.bounding_error import laws_of
from core.bounding.bounding_facts import (
    BoundingFacts,
)
from core.bounding.candidates import CandidateHats
from core.bounding.constants import BoundingConstants
from core.bounding.enforced_shares import EnforcedSharesPlan, with_ranges
from core.bounding.plan_and_enforce import EnforcedPlan, parts_of_share
from core.bounding.weight_columns import RECORDS_DP
from core.bundle.contradicted_promise import promise_of
from core.bundle.csv_columns import DataTable
from core.bundle.release_result import SUPPRESSED
from core.bundle.stated import FirstQuery, MeasureAccuracy, StatedMadeBy, StatedQuery, ThirdQuery
from core.city.noise_kind import NoiseKind
from core.errors import HexveilError, InternalError
from core.fixed_point import THOUSAND
from core.mechanisms.enforced_mean import EnforcedParams
from core.mechanisms.registry import require_mechanism
from core.mechanisms.tokens import TOKENS
from core.mechanisms.value_grid import value_grid
from core.planning.bounded_query import AnyBoundedPlan, BoundedPlan, candidate_plans, plan_by_constants
from core.planning.planned_bounding import threshold_of, weight_of
from core.privacy import Relation, Unit
from core.selection.base import ListedHats
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding, require
from core.statistics.base import AnyQuestion, Label, Measure
from core.statistics.question import question_of
from core.statistics.registry import all_statistics, require_statistic
from core.statistics.share import EnforcedShareParams, asked_ranges, ends_of
from core.texts import text_of
from core.verify.candidates import StatedCandidates, stated_candidates
from core.verify.folder import BundleFolder, TableRow
from core.verify.intervals import interval_range
from core.verify.statement_reader import PrivacyStatement, read_statement
from core.verify.tables import rows_of

_ROUNDING = Decimal("0.000001")
"""Scales are stated with nine digits, the summary's with six decimals."""


def says_user(folder: BundleFolder) -> bool:
    """Whether the bundle says that it is of relation `user`."""
    try:
        return read_statement(folder).relation is Relation.USER
    except Finding:
        return False


def check_no_weights(folder: BundleFolder) -> None:
    """Raises Finding where a bundle of relation `values` has what only `user` has."""
    described = any(query.bounding is not None for query in read_statement(folder).stated.queries)
    wrong = described or any(table.weight for table in folder.statistics.values())
    require(not wrong, "{privacy} names another relation than the data have")


def check_bounding(folder: BundleFolder) -> str:
    """Rows are all candidates; charges and scales are those of the constants alone."""
    statement = read_statement(folder)
    stated = statement.stated
    require(not stated.unprotected_quantities, "{privacy}: relation user leaves nothing open")
    threshold = stated.selection.threshold
    if threshold is None or threshold < 1:
        raise Finding("{privacy} names no threshold")
    for query in stated.queries:
        described, table = _user_query(query), folder.statistics.get(query.statistic)
        facts = described.facts
        if table is None:
            raise Finding("no data file of {statistic}", statistic=query.statistic)
        rows = rows_of(table, folder)
        try:
            candidates = stated_candidates(rows, table, statement)
            question = _question(described, folder)
            _check_numbers(rows, table, candidates, facts)
            plan = _plan(described, question, threshold, candidates, statement)
            labels = question.statistic.labels_of(described.made_by.parameters, statement.span)
        except (HexveilError, InternalError, KeyError, TypeError):
            raise Finding(
                "{privacy}: nothing can be planned as {query_id} says", query_id=query.query_id
            ) from None
        _check_places(rows, table, question.statistic.label, labels, candidates.first.size)
        _check_rows(rows, table, facts)
        _check_charges(described, statement, by_hat=plan.by_hat)
        _check_scales(described, rows, plan, candidates.first)
        lines = len(rows) // candidates.first.size
        columns = np.repeat(plan.columns[candidates.first], lines)
        measure = question.statistic.published(question).measures[0]
        _check_intervals(rows, table, facts, plan, columns, measure)
        _check_counts(query, rows, plan.plan, statement)
    return "rows, charges and scales follow from the constants"


class _UserQuery(NamedTuple):
    """A query with all that one of relation `user` tells."""

    query: FirstQuery
    made_by: StatedMadeBy
    facts: BoundingFacts
    noise: NoiseKind


def _user_query(query: FirstQuery) -> _UserQuery:
    """Raises Finding for constants that no query has."""
    facts, wrong = (
        query.bounding,
        text_of(
            "{privacy}: the constants of {query_id} are not constant",
            privacy=PRIVACY,
            query_id=query.query_id,
        ),
    )
    if facts is None or not isinstance(query, StatedQuery) or query.made_by is None:
        raise Finding(wrong)
    require(facts.hats_per_vehicle >= 1 and facts.spend > 0, wrong)
    noises = {kind.value: kind for kind in NoiseKind}
    require(facts.noise in noises, wrong)
    same = query.made_by.details.get("noise") == facts.noise
    require(same, "{privacy}: two kinds of noise")
    return _UserQuery(query, query.made_by, facts, noises[facts.noise])


def _question(described: _UserQuery, folder: BundleFolder) -> AnyQuestion:
    """What was asked, as the bundle tells it. Raises Finding for what relation `user` does not offer."""
    key, parameters = described.query.mechanism, described.made_by.parameters
    asked = require_statistic(described.query.statistic)
    own = key in all_statistics() or asked.bounded_method == key
    statistic = asked if asked.bounded_method == key else all_statistics()[key if own else "mean"]
    mechanism = None if own else require_mechanism(key)
    offered = Relation.USER in (mechanism or statistic).relations
    require(offered, "{privacy}: {key} is of another relation", key=key)
    question = question_of(statistic.of(folder.quantity), mechanism, parameters, Relation.USER)
    published = question.statistic.published(question).key
    require(
        published == described.query.statistic,
        "{privacy}: {key} does not answer {statistic}",
        key=key,
        statistic=described.query.statistic,
    )
    return question


def _plan(
    described: _UserQuery,
    question: AnyQuestion,
    threshold: int,
    candidates: StatedCandidates,
    statement: PrivacyStatement,
) -> BoundedPlan:
    """What draws by these constants, or by these prices, would go by.

    Raises InputError for constants and parameters that cannot be.
    """
    facts = described.facts
    if isinstance(question.params, EnforcedParams):
        plan = _enforced_plan(described, question.params, threshold, candidates, statement)
        if not isinstance(question.params, EnforcedShareParams) or not isinstance(plan.plan, EnforcedPlan):
            return plan
        ranges = asked_ranges(question.params, question.statistic.quantity.lower, statement.span)
        return dataclasses.replace(plan, plan=with_ranges(plan.plan, ranges))
    bounds_days = question.statistic.counts_days and statement.unit is Unit.VEHICLE
    require(
        (facts.days_per_vehicle is not None) is bounds_days,
        "{privacy}: days per vehicle do not fit {query_id}",
        query_id=described.query.query_id,
    )
    hats = candidates.hats
    constants = BoundingConstants(
        unit=statement.unit,
        hats_per_vehicle=facts.hats_per_vehicle,
        days_per_vehicle=facts.days_per_vehicle or 1,
        cells=tuple(np.unique(hats.cell).tolist()),
        places=hats.places,
        window=hats.window,
        listed=_listed(hats, statement),
        upper_bound=statement.span,
        derived=facts.derived,
    )
    factors = described.made_by.details.get("branching_factors")
    return BoundedPlan(
        constants=constants,
        threshold=threshold,
        delta=described.query.delta,
        candidates=hats,
        plan=plan_by_constants(
            constants,
            threshold,
            question,
            described.noise,
            facts.spend,
            factors=factors if isinstance(factors, tuple) and factors else None,
        ),
        by_day=question.statistic.counts_days,
        columns=np.arange(len(hats)),
    )


def _listed(hats: CandidateHats, statement: PrivacyStatement) -> ListedHats:
    """The HATs, where a list names them."""
    pairs = zip(hats.cell.tolist(), hats.slot.tolist(), strict=True)
    return tuple(pairs) if statement.hats_listed else ()


def _enforced_plan(
    described: _UserQuery,
    params: EnforcedParams,
    threshold: int,
    candidates: StatedCandidates,
    statement: PrivacyStatement,
) -> BoundedPlan:
    """By the caps and prices that the bundle tells. Raises Finding for such as hold nobody to anything."""
    query_id, facts, noise = described.query.query_id, described.facts, described.noise
    prices_of = facts.enforcement
    if prices_of is None:
        raise Finding("{privacy} states no prices of {query_id}", query_id=query_id)
    caps, prices = (np.array(numbers, np.int64) for numbers in (prices_of.caps, prices_of.prices))
    listed = prices > 0
    require(
        caps.size == prices.size == candidates.first.size
        and bool(((caps > 0) == listed).all() and (caps >= 0).all() and (prices >= 0).all())
        and int(listed.sum()) == (facts.listed_hats if facts.regions is None else facts.regions) > 0
        and prices_of.load >= 1,
        "{privacy}: caps and prices of {query_id} are not those of its listed candidates",
        query_id=query_id,
    )
    columns = np.where(listed, np.cumsum(listed) - 1, -1)[candidates.place]
    hats = candidates.hats
    return BoundedPlan(
        constants=BoundingConstants(
            unit=statement.unit,
            hats_per_vehicle=facts.hats_per_vehicle,
            days_per_vehicle=1,
            cells=tuple(np.unique(hats.cell).tolist()),
            places=hats.places,
            window=hats.window,
            listed=_listed(hats, statement),
            upper_bound=statement.span,
            derived=facts.derived,
        ),
        threshold=threshold,
        delta=described.query.delta,
        candidates=hats,
        plan=EnforcedPlan(
            candidates=hats.only(columns >= 0),
            caps=caps[listed],
            prices=prices[listed],
            parts=parts_of_share(Decimal(str(params.share)), noise),
            noise=noise,
            spend=facts.spend,
            upper_bound=statement.span,
            grid=value_grid(statement.span),
            gap=0.0,
            expected=np.zeros(int(listed.sum()), np.int64),
            load=prices_of.load,
        ),
        by_day=False,
        columns=columns,
    )


def _check_numbers(
    rows: list[TableRow], table: DataTable, candidates: StatedCandidates, facts: BoundingFacts
) -> None:
    """Of regions all of their HATs are known from the rows, else all candidates are."""
    stated = (facts.listed_hats, facts.regions) if table.by_region else (facts.candidate_hats, facts.regions)
    require(
        stated == (len(candidates.hats), len(rows) if table.by_region else None)
        and 0 < facts.listed_hats <= facts.candidate_hats,
        "{privacy} and {path} state different numbers of candidates",
        path=table.path,
    )


def _check_places(
    rows: list[TableRow], table: DataTable, label: Label | None, labels: tuple[int, ...], candidates: int
) -> None:
    """Every candidate has its rows: one, or one a label. No two are of one place (`check_rows`)."""
    require(
        len(rows) == candidates * max(len(labels), 1),
        "{path} does not have one row for each candidate",
        path=table.path,
    )
    if label is not None:
        described = {tuple(Decimal(row[name]) * THOUSAND for name in label.names) for row in rows}
        require(
            described == {tuple(map(Decimal, ends_of(one) if label.end else (one,))) for one in labels},
            "{path} has other labels than {privacy}",
            path=table.path,
        )


def _check_rows(rows: list[TableRow], table: DataTable, facts: BoundingFacts) -> None:
    """Published is what reaches the threshold, and nothing is stated of the others."""
    weights: dict[tuple[str, ...], set[str]] = {}
    for number, row in enumerate(rows, start=2):
        suppressed = row["status"] == SUPPRESSED
        if facts.weight is None or facts.threshold is None:
            require(
                not suppressed,
                "{path}, line {number}: nothing suppresses rows here",
                path=table.path,
                number=number,
            )
            continue
        require(
            facts.weight == table.weight, "{path} states no {weight}", path=table.path, weight=facts.weight
        )
        weight = row[table.weight_column]
        weights.setdefault(tuple(row[name] for name in table.place), set()).add(weight)
        if suppressed:
            described = [name for name in table.header if table.is_number_of_row(name) and row[name]]
            require(
                not described,
                "{path}, line {number}: a suppressed row states {names}",
                path=table.path,
                number=number,
                names=", ".join(described),
            )
        else:
            reached = bool(weight) and Decimal(weight) >= facts.threshold
            require(
                reached,
                "{path}, line {number}: a row below the threshold is published",
                path=table.path,
                number=number,
            )
    require(
        all(len(found) == 1 for found in weights.values()),
        "{path} states two weights of one candidate",
        path=table.path,
    )


def _check_charges(described: _UserQuery, statement: PrivacyStatement, *, by_hat: bool) -> None:
    """The spend is what was asked for, and the charges follow from it."""
    query, facts, noise = described.query, described.facts, described.noise
    query_id, (asked, total), delta = query.query_id, described.made_by.asked, query.delta
    require(asked == "total", "{privacy}: no total was asked for {query_id}", query_id=query_id)
    spend = rho_of(total, delta) if noise.squared else total
    require(
        facts.spend == spend,
        "{privacy}: {query_id} spends another amount than was asked for",
        query_id=query_id,
    )
    expected = charges_of_units(
        statement.unit,
        hats=min(facts.hats_per_vehicle, facts.candidate_hats),
        days=statement.days,
        noise=noise,
        spend=spend,
        by_hat=by_hat,
    )
    stated = (query.charges_rho if noise.squared else query.charges_pure) or query.charges
    for unit in Unit:
        require(
            stated.by_unit[unit] == expected[unit],
            "{privacy}: the charge of {query_id} for {value} does not follow from the constants",
            query_id=query_id,
            value=unit.value,
        )


def _check_scales(described: _UserQuery, rows: list[TableRow], plan: BoundedPlan, first: Ints) -> None:
    """Sensitivities, scales, weight, threshold and the epsilons of all rows; first: one HAT of each place."""
    query, made_by, facts = described.query, described.made_by, described.facts
    query_id, conversion = query.query_id, query.formula
    require(
        (facts.weight, facts.threshold) == (weight_of(plan), threshold_of(plan))
        and (plan.enforced or facts.listed_hats == facts.candidate_hats),
        "{privacy}: weight and threshold of {query_id} do not follow from the constants",
        query_id=query_id,
    )
    allowed = conversion in (RUNNING, conversion_of(plan.lattice_error))
    require(
        allowed,
        "{privacy}: the noise of {query_id} is too small for the formula that it names",
        query_id=query_id,
    )
    hats = candidate_plans(plan, conversion)
    placed = [hats[number] for number in first.tolist()]
    known = [hat for hat in placed if hat is not None]
    require(
        query.contribution_cap == known[0].m_ub,
        "{privacy}: {query_id} has another cap of records",
        query_id=query_id,
    )
    sensitivities, scales = (
        sorted(getattr(hat.lead, name) for hat in known) for name in ("sensitivity", "noise_scale")
    )
    pairs = [
        ("sensitivity", sensitivities[-1], query.sensitivity),
        ("noise_scale", scales[-1], query.noise_scale),
    ]
    first_measure = made_by.measures[0]
    for name, amounts, figures in (
        ("sensitivity", sensitivities, first_measure.sensitivity),
        ("noise_scale", scales, first_measure.noise_scale),
    ):
        pairs += zip(repeat(name), (amounts[0], median(amounts), amounts[-1]), figures, strict=False)
    if plan.weight_scales is not None and facts.weight_noise_scale is not None:
        pairs.append(("weight_noise_scale", float(plan.weight_scales.max()), facts.weight_noise_scale))
    for name, amount, stated in pairs:
        close = abs(stated - Decimal(amount)) <= _ROUNDING * (1 + Decimal(amount))
        require(
            close,
            "{privacy}: the {name} of {query_id} does not follow from the constants",
            name=name,
            query_id=query_id,
        )
    lines, allowance = len(rows) // first.size, EPSILON_STEP if conversion == BY_PROFILE else Decimal(0)
    require(
        all(
            abs(Decimal(row["epsilon"]) - (Decimal(0) if hat is None else hat.epsilon)) <= allowance
            for row, hat in zip(rows, (hat for hat in placed for _ in range(lines)), strict=True)
        ),
        "the epsilons of the rows of {query_id} do not follow from the constants",
        query_id=query_id,
    )
    details = made_by.details
    resolved: tuple[str, int] | None = None
    if isinstance(plan.plan, EnforcedSharesPlan):
        resolved = "parts_of_a_share", plan.plan.largest_part
    elif isinstance(plan.plan, BoundedMeanPlan | EnforcedPlan):
        resolved = "steps_of_the_range", plan.plan.grid.largest
    require(
        resolved is None or details.get(resolved[0]) == resolved[1],
        "{privacy}: {query_id} has another grid",
        query_id=query_id,
    )
    if isinstance(plan.plan, EnforcedPlan):
        stated_parts = details.get("tokens_of_a_vehicle"), details.get("parts_of_sums_and_weights")
        require(
            stated_parts == (TOKENS, tuple(plan.plan.parts)),
            "{privacy}: {query_id} has other tokens",
            query_id=query_id,
        )


def _check_counts(
    query: FirstQuery, rows: list[TableRow], plan: AnyBoundedPlan, statement: PrivacyStatement
) -> None:
    """Released weights contradict the public counts as is stated; what numbers miss follows from them."""
    facts, query_id = query.bounding, query.query_id
    if facts is None or facts.enforcement is None:
        return
    if not isinstance(plan, EnforcedPlan):
        raise Finding("{privacy}: {query_id} has no prices", query_id=query_id)
    upper, laws = laws_of(plan)
    expected, newer = facts.enforcement.expected, isinstance(query, ThirdQuery)
    require(
        not expected or (newer and len(expected) == len(facts.enforcement.prices) and min(expected) >= 0),
        "{privacy}: the expected tokens of {query_id} are not those of its candidates",
        query_id=query_id,
    )
    lines = len(rows) // len(facts.enforcement.prices)
    weights = [Decimal(row[RECORDS_DP]) if row["status"] != SUPPRESSED else None for row in rows[::lines]]
    found = promise_of(facts, weights, query.noise_scale, upper, laws)
    stated = query.counts_contradicted if isinstance(query, ThirdQuery) else None
    errors = [
        one.typical_error
        for accuracy in statement.stated.accuracy
        if accuracy.query_id == query_id
        for one in accuracy.measures
        if isinstance(one, MeasureAccuracy)
    ]
    if stated is None or found is None:
        same = stated is None and found is None
    else:
        same = _rounded_alike((stated,), (found.factor,), 2)
    if found is not None and found.typical_error is not None:
        (error,) = errors or (None,)
        same = same and error is not None and _rounded_alike(error, found.typical_error, 4)
    require(
        same,
        "{privacy}: what the released weights of {query_id} say of the public counts is stated otherwise",
        query_id=query_id,
    )


def _rounded_alike(stated: Sequence[Decimal], found: Sequence[Decimal], digits: int) -> bool:
    """Within one of the last digit: machines differ in floats, and where a figure is rounded to."""
    return all(
        abs(one - other) <= Decimal(1).scaleb(other.adjusted() + 1 - digits)
        for one, other in zip(stated, found, strict=True)
    )


def _check_intervals(
    rows: list[TableRow],
    table: DataTable,
    facts: BoundingFacts,
    plan: BoundedPlan,
    columns_of_rows: Ints,
    measure: Measure,
) -> None:
    """Each interval of a quotient is one that its mean, its weight and the scales make."""
    if facts.weight is None or not isinstance(plan.plan, BoundedMeanPlan | EnforcedPlan):
        return
    names = (measure.name, table.weight_column, measure.low, measure.high)
    described = [(number, row) for number, row in enumerate(rows) if row["status"] != SUPPRESSED]
    columns = columns_of_rows[[number for number, _ in described]]
    require(bool((columns >= 0).all()), "{path} publishes what is not listed", path=table.path)
    of_weight, of_number = THOUSAND, 10**measure.decimals
    value, weight, low, high = (
        np.array([float(Decimal(row[name]) * unit) for _, row in described])
        for name, unit in zip(names, (of_number, of_weight, of_number, of_number), strict=True)
    )
    retained = interval_range(plan.plan, columns, value - measure.least, weight)
    for (number, _), holds in zip(
        described, retained.holds(low - measure.least, high - measure.least), strict=True
    ):
        require(
            bool(holds),
            "{path}, line {value}: the interval does not follow from mean, weight and noise",
            path=table.path,
            value=number + 2,
        )
