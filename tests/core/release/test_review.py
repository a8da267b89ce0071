from __future__ import annotations

import dataclasses
from collections import Counter
from decimal import Decimal
from pathlib import Path

import h3
import numpy as np
import pytest
from numpy.typing import NDArray

from core.accounting.epsilon_rounding import glance
from core.accounting.ledger import Ledger
from core.advice.verdict import verdict_of
from core.bundle.protection_texts import EVALUATED
from core.bundle.smoothed_facts import caveat
from core.city import split
from core.keys.signing_key import generate_key
from core.planning.query_plan import QueryPlan, query_errors
from core.privacy import Relation, Unit
from core.release.prepare_publish import prepare
from core.release.review import Review, vehicles_alike
from core.release.signing_page import signing_page
from core.spec import load_spec
from tests.city import EVERY_STATISTIC, POPULATION, SPEC, SUPPRESSING, write_city, write_records
from tests.region_bundles import open_ledger
from tests.region_bundles import planned as planned_by_region
from tests.taxis import ledger_in, planned, released, write_taxis


def review_of_city(folder: Path, *, total: str = "6", evaluated: bool = False) -> Review:
    ledger = Ledger.open(folder / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    if evaluated:
        ledger.mark_evaluated(POPULATION)
    spec = write_city(folder, edit=(('total = "6"', f'total = "{total}"'),))
    return prepare(load_spec(spec), ledger).review


EVENTS = ("upper_bound_kmh = 65.0", 'upper_bound_kmh = 65.0\npings = "events"')
_PM25 = """[data.value]
name = "pm25"
unit = "ug/m3"
column_unit = "ug_m3"
lower = 0
upper = 65
physical_min = 0
physical_max = 100

[data.mapping]"""
PARTICLES = (("upper_bound_kmh = 65.0", ""), ('unit = "km/h"\n', ""), ("[data.mapping]", _PM25))


@pytest.mark.parametrize(
    ("edit", "visits"),
    [((), True), ((EVENTS,), False), (PARTICLES, False)],
    ids=["pings", "events", "particles"],
)
def test_visits_are_said_to_be_public_where_a_release_is_made_of_them(
    edit: tuple[tuple[str, str], ...], visits: bool, tmp_path: Path
) -> None:
    """By the sentence to confirm, by what is not protected, by the counts, by the page to sign."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    counted = ('licence = "CC-BY-4.0"', 'licence = "CC-BY-4.0"\ncounts = true')
    prepared = prepare(load_spec(write_city(tmp_path, edit=(*edit, counted))), ledger)
    lines = dict(prepared.review.lines())
    signed = " ".join(signing_page(prepared, None).left_open)
    for text in (prepared.review.sentence, lines["Not protected"], lines["Counts"], signed):
        assert ("visits" in text) is visits, text
    rate = "whether records come at a fixed rate" in lines["Not protected"]
    assert rate is (edit != PARTICLES), "of speeds, times were looked at to decide it"


def test_every_epsilon_headline_names_unit_and_relation(tmp_path: Path) -> None:
    lines = dict(review_of_city(tmp_path).lines())
    for label in (
        "Epsilon per vehicle, hexagon slot and day",
        "Epsilon per vehicle and day",
        "Epsilon per vehicle",
    ):
        assert "(relation values, unit vehicle)" in lines[label]


def test_the_review_follows_from_counts_never_from_values(tmp_path: Path) -> None:
    first = review_of_city(tmp_path)
    write_records(tmp_path / "records.csv", bump=10.0)
    assert review_of_city(tmp_path) == first


def test_ids_that_are_alike_are_warned_of_first_and_published(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    spec = write_city(tmp_path)
    records = tmp_path / "records.csv"
    head, *rows = records.read_text("utf-8").splitlines()
    rows = ["0" + row if at % 3 else row for at, row in enumerate(rows)]
    records.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    prepared = prepare(load_spec(spec), ledger)
    warning = dict(prepared.review.lines()[:1])["Warning"]
    assert prepared.review.vehicles_alike == len(prepared.contributions.vehicles)
    assert "vehicle_fold = true" in warning
    presence = dataclasses.replace(prepared.spec, relation=Relation.USER)
    assert vehicles_alike(presence.relation, prepared.contributions) == 0


def test_files_that_were_left_out_are_warned_of_before_anything_is_spent(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    listed = ('files = ["records.csv"]', 'files = ["records.csv", "broken-*.csv.gz"]\nskip_damaged = true')
    assert not any("broken" in text for _, text in review_of_city(tmp_path / "whole").lines())
    for number in range(7):
        (tmp_path / f"broken-{number}.csv.gz").write_bytes(b"\x1f\x8b\x08\x00 breaks off")
    review = prepare(load_spec(write_city(tmp_path, edit=(listed,))), ledger).review
    warning = dict(review.lines()[:1])["Warning"]
    assert "7 files (broken-0.csv.gz, " in warning
    assert "broken-5" not in warning


def test_suppressed_users_are_counted(tmp_path: Path) -> None:
    """By the rows that stay: the most published hexagon slots that one vehicle is in."""
    ledger = open_ledger(tmp_path)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    prepared = prepare(load_spec(write_city(tmp_path, edit=SUPPRESSING)), ledger)
    table = prepared.contributions

    def most(plan: QueryPlan, rows: NDArray[np.bool_]) -> int:
        published = np.isin(table.hat, [hat.index for hat in plan.published])
        places = {*zip(table.vehicle[rows & published], table.hat[rows & published], strict=True)}
        return max(Counter(vehicle for vehicle, _ in places).values())

    assert [text for label, text in prepared.review.lines() if label == "Suppressed users"] == [
        f"{plan.query.id}: users leave hexagon slots, so that nobody is in more than "
        f"{most(plan, plan.retained.rows)}; before it was {most(plan, plan.retained.rows | True)}"
        for plan in prepared.plans
        if plan.retained
    ]
    assert [plan.retained.after for plan in prepared.plans if plan.retained] == [9, 9, 10]


def test_single_vehicles_are_counted_among_hexagon_slots_with_records(tmp_path: Path) -> None:
    """As step Hexagons counts: a hexagon of a list is selected in slots that nobody was in, too."""
    ledger = open_ledger(tmp_path)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    (plan,) = prepare(load_spec(write_city(tmp_path)), ledger).plans
    cells = {cell for hat in plan.hats for cell in h3.grid_disk(hat.cell_text, 1)}
    (tmp_path / "cells.txt").write_text("\n".join(sorted(cells)), encoding="utf-8")
    listed = ('rule = "hat"\nthreshold = 2', 'rule = "cells"\nfile = "cells.txt"')
    review = prepare(load_spec(write_city(tmp_path, edit=(listed,))), ledger).review
    assert review.published + review.suppressed > review.recorded >= len(plan.hats)
    assert f"Of {review.recorded} hexagon slots" in review.sentence


@pytest.mark.parametrize(("total", "warned"), [("0.5", True), ("800", False)])
def test_noise_that_drowns_the_values_is_said(tmp_path: Path, total: str, warned: bool) -> None:
    lines = review_of_city(tmp_path, total=total).lines()
    assert ("Warning" in dict(lines)) is warned
    assert (lines[0][0] == "Warning") is warned  # before anything else


@pytest.mark.parametrize(("total", "warned"), [("0.5", True), ("800", False)])
def test_noise_that_drowns_counts_is_said_too(tmp_path: Path, total: str, warned: bool) -> None:
    asked = f'[[query]]\nid = "above"\nstatistic = "query2"\ntotal = "{total}"\n'
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    spec = write_city(tmp_path, edit=((SPEC[SPEC.index("[[query]]") :], asked),))
    told = [text for label, text in prepare(load_spec(spec), ledger).review.lines() if label == "Warning"]
    assert len(told) == warned
    assert all(text.startswith("above: No use. ") for text in told)
    assert all("One number for the whole city would be off by less: " in text for text in told)


def test_constants_alone_warn_of_the_least_hat_never_of_half_of_them(tmp_path: Path) -> None:
    """Nobody may know how busy a HAT is: the error is that of one at the threshold."""
    spec = write_taxis(tmp_path, edits=(('total = "40"', 'total = "1"'),))
    prepared = planned(spec, ledger_in(tmp_path))
    (warning,) = (text for label, text in prepared.review.lines() if label == "Warning")
    assert "km/h in a hexagon slot of 5 vehicles. One number for the whole city" in warning


def test_errors_of_distributions_are_told_in_percentage_points(tmp_path: Path) -> None:
    """As step *Parameters* tells them, and not as shares."""
    query = '[[query]]\nid = "curve"\nstatistic = "cdf"\nepsilon = "2"\n'
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10**6))
    spec = write_city(tmp_path, edit=((SPEC[SPEC.index("[[query]]") :], query),))
    planned_release = prepare(load_spec(spec), ledger)
    (plan,) = planned_release.plans
    typical = query_errors(plan.plans).typical
    told = dict(planned_release.review.lines())["Statistic"]
    assert f"typical error {100 * typical.median:.2f} percentage points in the median" in told
    assert f", {100 * typical.largest:.2f} percentage points in the least accurate (at worst " in told
    assert told.endswith(" percentage points)")


def test_the_typical_error_of_smoothed_numbers_is_that_of_the_verdict(tmp_path: Path) -> None:
    """And stands apart from errors at worst, which are of raw numbers: it may be the larger one."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    tokens = '[[query]]\nid = "mean_speed"\nstatistic = "mean"\nmechanism = "tokens"\ntotal = "12"\n'
    made = prepare(load_spec(write_city(tmp_path, edit=((SPEC[SPEC.index("[[query]]") :], tokens),))), ledger)
    error = verdict_of(made.plans[0]).error
    raw = made.plans[0].errors
    assert error < raw.typical.median
    told = dict(made.review.lines())["Statistic"]
    assert f"typical error {error:.2f} km/h in the median" in told
    before, worst = (f"{one.median:.2f} and {one.largest:.2f}" for one in (raw.typical, raw.at_worst))
    assert told.endswith(f"(after smoothing; before it {before}, at worst {worst} km/h)")


def test_a_repeat_shows_the_errors_of_the_plan_that_was_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the search finds today."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    tokens = '[[query]]\nid = "mean_speed"\nstatistic = "mean"\nmechanism = "tokens"\ntotal = "12"\n'
    spec = write_city(tmp_path, edit=((SPEC[SPEC.index("[[query]]") :], tokens),))
    drawn = released(spec, ledger, generate_key(tmp_path / "key", "correct horse"), tmp_path / "out").release
    (facts,) = (query.facts for query in drawn.queries)
    (smoothing,) = (query.smoothing for query in drawn.queries)
    assert facts is not None
    assert smoothing is not None
    monkeypatch.setattr(split, "BIAS_WEIGHT", 50.0)
    again = prepare(load_spec(spec), ledger)
    assert again.stored is not None
    (told,), (measure,) = again.review.queries, facts.measures
    assert query_errors(again.plans[0].plans).typical.median != pytest.approx(
        float(measure.typical_error.median)
    )
    assert told.errors.at_worst.median == pytest.approx(float(measure.error_at_worst.median))
    assert told.errors.typical.median == pytest.approx(float(smoothing.expected_error.median))
    assert told.verdict.error == told.errors.typical.median


def test_an_evaluation_before_is_a_line_of_the_review(tmp_path: Path) -> None:
    assert "Evaluated" not in dict(review_of_city(tmp_path).lines())
    assert EVALUATED in dict(review_of_city(tmp_path, evaluated=True).lines())["Evaluated"]


def test_query_1_and_2_tell_their_epsilons_as_the_report_does(tmp_path: Path) -> None:
    """TR III.E, III.F: per HAT and day, per day by K_day, and both queries together."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    review = prepare(load_spec(write_city(tmp_path, edit=EVERY_STATISTIC)), ledger).review
    (one, first), (two, second), (both, together) = review.reported
    assert (one, two, both) == ("pair_means", "speeding", "both queries")
    assert together.per_day == first.per_day + second.per_day
    for found in (first, second, together):
        assert found.per_hat_day <= found.per_day <= found.per_day_bound
        assert found.per_day <= found.per_vehicle
    lines = dict(review.lines())
    assert "K_day" in lines["Epsilon a day of both queries"]
    assert "Epsilon a day of moments" not in lines


def test_gaussian_noise_is_told_at_its_delta_and_a_smoothed_column_with_its_caveat(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000), delta=Decimal("0.000001"))
    gaussian = 'mechanism = "tokens"\ntotal = "12"\n\n[query.parameters]\nnoise = "gauss"\n'
    asked = SPEC[SPEC.index('mechanism = "array-averaging"') :]
    spec = write_city(tmp_path, edit=((asked, gaussian),))
    review = prepare(load_spec(spec), ledger).review
    lines = dict(review.lines())
    stated = review.stated(review.charge, Unit.VEHICLE)
    alone, charged = glance(stated.epsilon), glance(stated.charged)
    assert 10 < Decimal(alone) < 10.5
    assert 11 < Decimal(charged) <= 12
    assert f"Charged {charged} of the limit; by itself epsilon {alone}." in lines["What it means"]
    assert review.charge.per_vehicle == 0
    assert (
        ", but for a chance of 1 in a million" in dataclasses.replace(review, relation=Relation.USER).sentence
    )
    assert lines["Epsilon per vehicle"] == f"{alone} (relation values, unit vehicle, delta 1e-6, mu 1.861)"
    rho = glance(review.charge.rho.per_vehicle)
    assert (
        lines["Cost"]
        == f"{rho} rho of every vehicle's budget: alone it is charged as an epsilon of {charged}"
    )
    both = dataclasses.replace(review, charge=dataclasses.replace(review.charge, per_vehicle=Decimal("3.5")))
    assert both.cost == (
        f"3.5 epsilon and {rho} rho of every vehicle's budget: alone they are charged as an epsilon of "
        f"{glance(both.stated(both.charge, Unit.VEHICLE).charged)}"
    )
    assert lines["Smoothed as well"] == f"mean_speed: the second number of each hexagon slot is {caveat()}"
    assert "Smoothed as well" not in dict(review_of_city(tmp_path).lines())


@pytest.mark.parametrize(("epsilon", "warned"), [("0.001", True), ("1000", False)])
def test_a_band_that_will_be_of_no_use_is_said_before(tmp_path: Path, epsilon: str, warned: bool) -> None:
    query = f'[[query]]\nid = "curve"\nstatistic = "cdf"\nepsilon = "{epsilon}"\n'
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(10**6))
    spec = write_city(tmp_path, edit=((SPEC[SPEC.index("[[query]]") :], query),))
    lines = prepare(load_spec(spec), ledger).review.lines()
    told = [text for label, text in lines if label == "Warning"]
    assert any("the band of the distribution will be of no use" in text for text in told) == warned


def test_regions_are_told_with_what_they_hold_and_what_they_need_of_the_total(tmp_path: Path) -> None:
    prepared = planned_by_region(tmp_path, open_ledger(tmp_path))
    (plan,) = prepared.plans
    lines = dict(prepared.review.lines())
    cost = glance(plan.charge.per_vehicle)
    assert lines["Regions"] == (
        f"mean_speed: {len(plan.regions)} regions hold {len(plan.published)} hexagon slots, hexagons in all "
        f"of their hours where the promised error is possible; they need {cost} of the 12 in all"
    )
    by_day = dataclasses.replace(prepared.review, unit=Unit.VEHICLE_DAY)
    assert dict(by_day.lines())["Regions"] == lines["Regions"], "the total is that of a vehicle in all"
    assert lines["Cost"].startswith(f"{cost} epsilon")
    assert lines["Statistic"].startswith("Mean speed of each region by Tokens: epsilon ")
    assert " in the median region, " in lines["Statistic"]
    assert "hexagon slot" not in lines["Statistic"]
    assert "Regions" not in dict(review_of_city(tmp_path / "hats").lines())
