"""Figures by which a release looks cheaper, or its noise larger, than it was: written and signed by us."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.compose import add_charges
from core.bundle.release_result import QueryResult, Release
from core.codec import from_json
from core.privacy import Charge, Unit
from core.statistics.base import Estimate
from tests.builders import forge, make_bundle, make_facts, make_query, make_release, usual_bundle
from tests.golden.steady import GOLDEN
from tests.tampering import by_file, by_program

MOMENTS = [
    json.loads(body["draws"])
    for row in json.loads((GOLDEN / "v0.3" / "events.json").read_text(encoding="utf-8"))
    if "draws" in (body := json.loads(row["body"]))
]
DRAWN = {
    "+".join(query["mechanism"] for query in draws["queries"]): from_json(Release, draws) for draws in MOMENTS
}
QUERIES = [
    (name, number) for name, release in DRAWN.items() for number, _ in enumerate(release.queries)
]  # fmt: skip


def sparse(release: Release) -> Release:
    """The same numbers of a fleet in which nobody visits more than two of the HATs."""

    def rare(charge: Charge) -> Charge:
        most = 2 * charge.per_vehicle_hat_day
        return dataclasses.replace(
            charge, per_vehicle=most, per_vehicle_day=most, per_date=dict.fromkeys(charge.per_date, most)
        )

    queries = tuple(dataclasses.replace(query, charge=rare(query.charge)) for query in release.queries)
    return dataclasses.replace(
        release, queries=queries, charge=add_charges(query.charge for query in queries)
    )


def cut(query: QueryResult, most: int) -> QueryResult:
    """Its numbers, within a smaller upper bound."""

    def below(item: Estimate) -> Estimate:
        inside = {name: min(getattr(item, name), most) for name in ("value", "low", "high")}
        return dataclasses.replace(item, **inside)

    rows = tuple(dataclasses.replace(row, estimates=tuple(map(below, row.estimates))) for row in query.rows)
    return dataclasses.replace(query, rows=rows)


def with_query(release: Release, number: int, change: Callable[[QueryResult], QueryResult]) -> Release:
    queries = list(release.queries)
    queries[number] = change(queries[number])
    return dataclasses.replace(release, queries=tuple(queries))


def times_epsilon(query: QueryResult, factor: str) -> QueryResult:
    """The rows alone say something else; headline, sensitivity and scale stay."""
    rows = tuple(dataclasses.replace(row, epsilon=row.epsilon * Decimal(factor)) for row in query.rows)
    facts = query.facts
    if facts is not None and facts.asked[0] == "epsilon":  # so that nothing but the noise contradicts them
        facts = dataclasses.replace(facts, asked=("epsilon", facts.asked[1] * Decimal(factor)))
    return dataclasses.replace(query, rows=rows, facts=facts)


@pytest.mark.parametrize("name", DRAWN)
def test_what_was_drawn_verifies(name: str, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, DRAWN[name])
    assert by_program(bundle).holds
    assert by_file(bundle).holds


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("name", DRAWN)
def test_the_total_of_all_releases_is_no_less_than_the_charge_of_this_one(
    name: str, unit: Unit, tmp_path: Path
) -> None:
    release = DRAWN[name]
    charge = release.stated(release.charge, unit).epsilon
    for amount, holds in ((charge, True), (charge - Decimal("0.000001"), False)):
        told = dataclasses.replace(release, cumulative={**release.cumulative, unit: amount})
        bundle = make_bundle(tmp_path / str(holds), told)
        for found in (by_program(bundle), by_file(bundle)):
            assert found.holds is holds
            assert ("over all releases is less than this one alone costs" in found.reasons) is not holds


def test_summary_and_statement_tell_one_total_of_all_releases(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    text = (bundle / "privacy.json").read_text(encoding="utf-8")
    assert '"vehicle": "7"' in text
    forge(bundle, {"privacy.json": text.replace('"vehicle": "7"', '"vehicle": "8"').encode()})
    for found in (by_program(bundle), by_file(bundle)):
        assert "over all releases" in found.reasons


@pytest.mark.parametrize(("factor", "holds"), [("0.5", False), ("0.99", False), ("1", True), ("1.01", False)])
@pytest.mark.parametrize(("name", "number"), QUERIES)
def test_rows_cost_what_their_noise_asks_for(
    name: str, number: int, factor: str, holds: bool, tmp_path: Path
) -> None:
    told = with_query(sparse(DRAWN[name]), number, lambda query: times_epsilon(query, factor))
    found = by_program(make_bundle(tmp_path, told))
    assert found.holds is holds
    assert ("the noise of" in found.reasons or "the epsilons of the rows" in found.reasons) is not holds


@pytest.mark.parametrize(("less", "holds"), [(0, True), (1, False)])
@pytest.mark.parametrize("name", [name for name in DRAWN if "+" not in name])
def test_an_upper_bound_below_what_one_vehicle_moves_is_found(
    name: str, less: int, holds: bool, tmp_path: Path
) -> None:
    """In thousandths. The numbers themselves lie within it."""
    (query,) = DRAWN[name].queries
    upper = math.ceil(query.sensitivity * 1000) - less
    facts = dataclasses.replace(query.facts or make_facts(), dwell_correction=False)
    query = dataclasses.replace(cut(query, upper), facts=facts)
    told = dataclasses.replace(DRAWN[name], queries=(query,), upper_bound=upper)
    found = by_program(make_bundle(tmp_path, told))
    assert found.holds is holds
    assert ("by more than its bounds allow" in found.reasons) is not holds


@pytest.mark.parametrize(
    ("mechanism", "most", "holds"),
    [
        ("two-step-clipping", "81.25", True),
        ("two-step-clipping", "81.3", False),
        ("tokens", "86.66", True),
        ("tokens", "86.7", False),
    ],
)
def test_a_corrected_mean_may_move_further_than_its_bounds(
    mechanism: str, most: str, holds: bool, tmp_path: Path
) -> None:
    """LINEAR divides by 0.8 at least, tokens by 0.75."""
    figures = make_facts().measures[0].sensitivity._replace(largest=Decimal(most))
    measure = dataclasses.replace(make_facts().measures[0], sensitivity=figures, noise_scale=figures)
    facts = make_facts(
        measures=(measure,), dwell_correction=True, made_by={"budget_pays_for": "noise in 3 HATs"}
    )
    query = make_query(
        mechanism=mechanism,
        facts=facts,
        sensitivity=figures.largest,
        noise_scale=figures.largest,
    )
    bundle = make_bundle(tmp_path / most, make_release(queries=(query,)))
    assert ("by more than its bounds" in by_program(bundle).reasons) is not holds
