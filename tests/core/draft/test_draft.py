from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from core.accounting.budgets import OPTIMAL_DIVISION, Budget
from core.clean.bounded_value import EXAMPLE_LINES
from core.clean.mapping import Box, DerivedSpeed, UnitRange
from core.draft.draft import (
    Draft,
    QueryDraft,
    document,
    draft_of,
    proposed_parameters,
    relative_path,
    save_draft,
    spec_of,
)
from core.errors import InputError
from core.hats.slots import ALL, SLOT_LENGTHS, PeriodOfDay, SlotLength
from core.mechanisms.registry import require_mechanism
from core.parameter_fields import declared
from core.prior.public_prior import PublicPrior
from core.prior.public_source import SourceRequest
from core.privacy import Relation, Unit
from core.read.file_format import FileFormat
from core.release.request_identity import canonical
from core.spec import SPEC, load_spec, parse_spec
from core.statistics.cdf import CdfParams
from core.statistics.registry import all_statistics, require_statistic
from tests.city import BOUNDARY, write_city
from tests.city import SPEC as SPEC_TEXT
from tests.geojson import box, polygon, write_geojson
from tests.specs import documents, folder_of_files
from tests.taxis import BY_DAY, CELLS, ENFORCED, GAUSSIAN, RAW, write_taxis

OF_NO_RELATION = ("population", "name", "version", "publisher", "contact", "licence", "policy", "layers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of_files(tmp_path_factory.mktemp("specs"))


@given(written=documents(SPEC))
def test_what_is_written_is_read_as_the_same_spec_and_written_the_same(
    written: dict[str, Any], folder: Path
) -> None:
    spec = parse_spec(written, folder)
    once = document(*draft_of(spec), folder)
    again = parse_spec(once, folder)
    assert (again.texts, again.window, again.data.rules) == (spec.texts, spec.window, spec.data.rules)
    assert again.places == spec.places
    assert (again.population, again.confirmed, again.queries) == (
        spec.population,
        spec.confirmed,
        spec.queries,
    )
    assert canonical(again) == canonical(spec)
    assert document(*draft_of(again), folder) == once


def test_a_saved_draft_is_the_same_spec(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path / "city"))
    draft, source = draft_of(spec)
    save_draft(draft, source, tmp_path / "city" / "saved.toml")
    saved = load_spec(tmp_path / "city" / "saved.toml")
    assert canonical(saved) == canonical(spec)
    assert saved.texts == spec.texts
    assert saved.data.paths() == spec.data.paths()
    assert (saved.population, saved.confirmed) == (spec.population, spec.confirmed)


JOINT = {"mode": "exact", "noise": "laplace", "p": 1, "smooth": False, "importance": "vehicles"}


@pytest.mark.parametrize(
    ("mechanism", "parameters", "budget"),
    [
        ("array-averaging", {"m_ub": 5}, Budget(per_hat=Decimal("0.25"))),
        ("tokens", JOINT, Budget(total=Decimal("7.5"))),
    ],
)
def test_every_choice_survives_the_file(
    tmp_path: Path, mechanism: str, parameters: dict[str, Any], budget: Budget
) -> None:
    draft, source = draft_of(load_spec(write_city(tmp_path)))
    draft = dataclasses.replace(
        draft,
        resolution=8,
        slot_minutes=30,
        date_ranges=(draft.date_ranges[0], (draft.date_ranges[0][1].replace(day=9),) * 2),
        unit=Unit.VEHICLE_DAY,
        queries=(
            dataclasses.replace(draft.leading, mechanism=mechanism, budget=budget, parameters=parameters),
            QueryDraft(
                id="moments",
                statistic="mean_variance",
                budget=Budget(total=Decimal(3), divide=OPTIMAL_DIVISION),
                parameters={"m_ub": "sqrt"},
            ),
        ),
    )
    mapping = dataclasses.replace(
        source.rules.mapping,
        units=(
            UnitRange(unit="mph", last=draft.date_ranges[0][0]),
            UnitRange(unit="m/s", first=draft.date_ranges[0][1]),
        ),
        box=Box(south=20.0, west=70.0, north=23.0, east=74.0),
        physical_max=150_000,
    )
    source = dataclasses.replace(source, rules=dataclasses.replace(source.rules, mapping=mapping))
    save_draft(draft, source, tmp_path / "all.toml")
    read_draft, read_source = draft_of(load_spec(tmp_path / "all.toml"))
    assert read_source.rules == source.rules
    mean, moments = draft.queries
    unsaid = {item.name: item.default for item in declared(require_mechanism(mechanism).Params)}
    mean = dataclasses.replace(mean, parameters=unsaid | parameters)
    moments = dataclasses.replace(moments, parameters={"m_ub": "sqrt", "suppress_users": False})
    assert read_draft == dataclasses.replace(draft, queries=(mean, moments))


@pytest.mark.parametrize(
    "budget", [Budget(total=Decimal(3), divide=OPTIMAL_DIVISION), Budget(total=Decimal(3))]
)
def test_a_joint_mechanism_is_written_with_its_total_alone(tmp_path: Path, budget: Budget) -> None:
    draft, source = draft_of(load_spec(write_city(tmp_path)))
    query = dataclasses.replace(draft.leading, mechanism="tokens", parameters={}, budget=budget)
    (written,) = document(dataclasses.replace(draft, queries=(query,)), source, tmp_path)["query"]
    assert written["total"] == "3"
    assert not {"epsilon", "division", "noise_scale"} & set(written)
    per_hat = dataclasses.replace(query, budget=Budget(per_hat=Decimal(3)))
    draft = dataclasses.replace(draft, queries=(per_hat,))
    assert "epsilon" not in document(draft, source, tmp_path)["query"][0]
    with pytest.raises(InputError, match="needs a total per vehicle"):
        spec_of(draft, source, tmp_path)


def test_a_mechanism_of_no_use_leaves_the_budget_of_a_statistic_alone(tmp_path: Path) -> None:
    draft, source = draft_of(load_spec(write_city(tmp_path)))
    retained = QueryDraft(
        id="fast", statistic="query1", mechanism="tokens", budget=Budget(per_hat=Decimal("0.5"))
    )
    (written,) = document(dataclasses.replace(draft, queries=(retained,)), source, tmp_path)["query"]
    assert (written["epsilon"], retained.joint) == ("0.5", False)


@pytest.mark.parametrize(
    ("budget", "cost", "total"),
    [
        (Budget(total=Decimal(4), divide=OPTIMAL_DIVISION), Decimal(3), Decimal(4)),
        (Budget(per_hat=Decimal(2)), Decimal(12), Decimal(12)),
        (Budget(per_hat=Decimal(2)), None, Decimal(10)),
        (Budget(noise_scale=Decimal(2)), None, Decimal(10)),
    ],
)
def test_another_mechanism_gets_a_budget_that_it_takes(
    budget: Budget, cost: Decimal | None, total: Decimal
) -> None:
    query = QueryDraft(mechanism="baseline", budget=budget)
    assert query.answered_by("tokens", {"p": 1}, cost) == QueryDraft(
        mechanism="tokens", parameters={"p": 1}, budget=Budget(total=total)
    )
    assert query.answered_by("levy", {}, cost).budget == budget
    assert (query.joint, query.answered_by("tokens", {}).joint) == (False, True)


@pytest.mark.parametrize(
    "length", [*SLOT_LENGTHS, (PeriodOfDay(600, 780, "morning"), PeriodOfDay(780, 810, "noon"))]
)
def test_the_slot_comes_back_as_it_was_asked_for(tmp_path: Path, length: SlotLength) -> None:
    draft, source = draft_of(load_spec(write_city(tmp_path)))
    draft = dataclasses.replace(draft, slot_minutes=length, hours=("09:30", "13:30"))
    save_draft(draft, source, tmp_path / "slots.toml")
    saved = load_spec(tmp_path / "slots.toml")
    assert draft_of(saved)[0].slot_minutes == length
    stated = json.loads(canonical(saved))["hats"]
    if isinstance(length, tuple):
        assert stated["periods"] == [["morning", 600, 780], ["noon", 780, 810]]
    else:
        assert (stated["slot_minutes"], "periods" in stated) == (240 if length == ALL else length, False)


def test_a_boundary_is_named_relative_to_the_spec(tmp_path: Path) -> None:
    spec = write_city(tmp_path / "city", edit=BOUNDARY)
    ward = write_geojson(tmp_path / "city" / "ward.geojson", polygon(box(72.78, 21.12, 72.88, 21.22)))
    draft, source = draft_of(load_spec(spec))
    assert (draft.rule, draft.cells_file) == ("boundary", str(ward))
    (tmp_path / "other").mkdir()
    saved = tmp_path / "other" / "saved.toml"
    save_draft(draft, source, saved)
    assert 'file = "../city/ward.geojson"' in saved.read_text(encoding="utf-8")
    assert canonical(load_spec(saved)) == canonical(load_spec(spec))


@pytest.mark.parametrize("field", ["relation", "unit"])
def test_relation_and_unit_have_no_default(tmp_path: Path, field: str) -> None:
    draft, source = draft_of(load_spec(write_city(tmp_path)))
    assert getattr(Draft(), field) is None
    with pytest.raises(InputError, match=field):
        spec_of(dataclasses.replace(draft, **{field: None}), source, tmp_path)


def test_the_query_with_a_mechanism_is_the_mean_wherever_it_stands() -> None:
    mean, other = QueryDraft(), QueryDraft(id="query1", statistic="query1")
    assert Draft(queries=(other, mean)).mean is mean
    assert Draft(queries=(other, mean)).leading is other
    assert Draft(queries=(other,)).mean is None


def test_a_format_and_a_derived_speed_come_back_as_they_were(tmp_path: Path) -> None:
    draft, source = draft_of(load_spec(write_city(tmp_path)))
    rules = dataclasses.replace(
        source.rules,
        mapping=dataclasses.replace(
            source.rules.mapping, value="", derived=DerivedSpeed(max_gap_seconds=300)
        ),
        format=FileFormat(encoding="cp1252", delimiter=";", decimal=",", date_order="dmy", sheet="May"),
    )
    save_draft(draft, dataclasses.replace(source, rules=rules), tmp_path / "all.toml")
    assert draft_of(load_spec(tmp_path / "all.toml"))[1].rules == rules


TABLE = (
    'files = ["records.csv"]',
    'contributions = "table.parquet"\nderived_speed_in_table = false\n'
    "physical_limits_in_table = [0.0, 120.5]",
)
NO_MAPPING = (SPEC_TEXT[SPEC_TEXT.index("[data.mapping]") : SPEC_TEXT.index("[hats]")], "")


@pytest.mark.parametrize("edits", [(TABLE,), (TABLE, NO_MAPPING)])
def test_a_spec_of_a_contribution_table_comes_back_as_it_was(
    tmp_path: Path, edits: tuple[tuple[str, str], ...]
) -> None:
    spec = load_spec(write_city(tmp_path, edit=edits))
    draft, source = draft_of(spec)
    assert source.table
    assert source.files == (tmp_path / "table.parquet",)
    saved = tmp_path / "elsewhere" / "saved.toml"
    saved.parent.mkdir()
    save_draft(draft, source, saved)
    again = load_spec(saved)
    assert draft_of(again) == (draft, source)
    assert again.data.table_path.resolve() == spec.data.table_path.resolve()
    assert canonical(again) == canonical(spec)
    assert ("mapping" in document(draft, source, tmp_path)["data"]) is (NO_MAPPING not in edits)


def test_another_value_of_a_table_needs_no_mapping(tmp_path: Path) -> None:
    value = "\n".join(EXAMPLE_LINES)
    edits = (
        TABLE,
        ("upper_bound_kmh = 65.0\n", ""),
        (NO_MAPPING[0], f"{value}\n\n"),
        ('"mean_speed"', '"mean_delay"'),
    )
    draft, source = draft_of(load_spec(write_city(tmp_path, edit=edits)))
    save_draft(draft, source, tmp_path / "saved.toml")
    assert draft_of(load_spec(tmp_path / "saved.toml")) == (draft, source)


def test_a_new_distribution_proposes_13_bins_and_a_spec_without_bins_keeps_650(tmp_path: Path) -> None:
    assert proposed_parameters(require_statistic("cdf"), 65_000) == {"bins": 13}
    text = write_city(tmp_path).read_text(encoding="utf-8")
    query = '[[query]]\nid = "curve"\nstatistic = "cdf"\nepsilon = "2"\n'
    path = tmp_path / "spec.toml"
    path.write_text(text[: text.index("[[query]]")] + query, encoding="utf-8")
    spec = load_spec(path)
    assert spec.queries[0].question.params == CdfParams(bins=650)
    assert draft_of(spec)[0].queries[0].parameters["bins"] == 650


@pytest.mark.parametrize(("upper_bound", "limits"), [(65_000, None), (45_000, (40.0,)), (20_000, (10.0,))])
def test_a_new_query_proposes_limits_below_the_bound(
    upper_bound: int, limits: tuple[float, ...] | None
) -> None:
    found = proposed_parameters(require_statistic("query2"), upper_bound)
    assert found == ({} if limits is None else {"limits": limits})


def test_what_is_proposed_is_allowed() -> None:
    for statistic in all_statistics().values():
        for item in declared(statistic.Params):
            if item.proposed is not None:
                assert item.accept(item.proposed, where="test") == item.proposed


def test_a_path_below_a_folder_is_named_from_it(tmp_path: Path) -> None:
    assert relative_path(tmp_path / "a" / "b.csv", tmp_path) == "a/b.csv"


@pytest.mark.parametrize("edits", [(), BY_DAY, GAUSSIAN, RAW, ENFORCED, (*ENFORCED, *BY_DAY)])
def test_a_draft_of_relation_user_is_saved_as_the_same_spec(
    edits: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    spec = load_spec(write_taxis(tmp_path / "city", edits=edits))
    draft, source = draft_of(spec)
    save_draft(draft, source, tmp_path / "city" / "saved.toml")
    saved = load_spec(tmp_path / "city" / "saved.toml")
    assert canonical(saved) == canonical(spec)
    assert saved.data.rules.zone == "Asia/Kolkata"
    assert saved.queries == spec.queries
    assert spec_of(draft, source, tmp_path / "city").hats_per_vehicle == 4
    typed = PublicPrior(fleet=60, vehicles=20, records=3)
    assert draft.prior == (typed if ENFORCED[0] in edits else PublicPrior())


def test_a_source_of_public_counts_is_named_from_where_the_spec_lies(tmp_path: Path) -> None:
    draft, source = draft_of(load_spec(write_taxis(tmp_path / "city", edits=ENFORCED)))
    counts = tmp_path / "city" / "counts.csv"
    counts.write_text(f"h3_cell,slot_start,vehicles,records\n{CELLS[0]},09:00,12,5\n", encoding="utf-8")
    prior = PublicPrior(fleet=40, vehicles=9, source=SourceRequest(path=str(counts)))
    draft = dataclasses.replace(draft, prior=prior)
    (written,) = document(draft, source, tmp_path / "city")["query"]
    assert written["public_counts"] == "counts.csv"
    assert written["parameters"]["fleet"] == 40
    assert "vehicles" not in written["parameters"]
    save_draft(draft, source, tmp_path / "city" / "saved.toml")
    read, _ = draft_of(load_spec(tmp_path / "city" / "saved.toml"))
    assert read.prior == dataclasses.replace(prior, vehicles=0)


def test_what_may_follow_from_records_stays_behind_where_presence_is_protected(tmp_path: Path) -> None:
    draft, _ = draft_of(load_spec(write_city(tmp_path)))
    seen = dataclasses.replace(
        draft,
        resolution=9,
        slot_minutes=15,
        hours=("06:00", "07:00"),
        threshold=77,
        minimum_vehicles=9,
        cells_file="seen.txt",
        hats_per_vehicle=88,
        zone="Asia/Tokyo",
        prior=PublicPrior(fleet=5),
        confirmed=True,
    )
    private, fresh = seen.in_relation(Relation.USER), Draft()
    for name in (
        *("resolution", "slot_minutes", "date_ranges", "hours", "threshold", "minimum_vehicles"),
        *("cells_file", "hats_per_vehicle", "zone", "prior"),
    ):
        assert getattr(private, name) == getattr(fresh, name), name
    assert not private.confirmed
    assert private.rule == "cells"
    assert private.unit is Unit.VEHICLE
    assert (private.title, private.population) == (seen.title, seen.population)
    assert private.in_relation(Relation.USER) is private


def test_what_is_chosen_before_any_relation_stays_where_counts_are_public(tmp_path: Path) -> None:
    draft, _ = draft_of(load_spec(write_city(tmp_path)))
    for rule, file in (("hat", ""), ("cells", "")):
        seen = dataclasses.replace(
            draft, relation=None, confirmed=False, resolution=9, rule=rule, cells_file=file
        )
        assert seen.date_ranges
        assert seen.in_relation(Relation.VALUES) == dataclasses.replace(seen, relation=Relation.VALUES)


def test_dates_that_were_typed_stay_and_a_list_that_nobody_named_is_no_rule(tmp_path: Path) -> None:
    typed, _ = draft_of(load_spec(write_taxis(tmp_path)))
    public = typed.in_relation(Relation.VALUES)
    for name in ("resolution", "slot_minutes", "date_ranges", "hours", "rule", "cells_file"):
        assert getattr(public, name) == getattr(typed, name), name
    assert dataclasses.replace(typed, cells_file="").in_relation(Relation.VALUES).rule == Draft().rule


def test_a_relation_that_was_left_is_as_it_was_but_for_what_hangs_on_none(tmp_path: Path) -> None:
    typed, _ = draft_of(load_spec(write_taxis(tmp_path / "taxis")))
    counted, _ = draft_of(load_spec(write_city(tmp_path / "city")))
    again = dataclasses.replace(counted, title="Said since", confirmed=True).back_in(Relation.USER, typed)
    assert again == dataclasses.replace(
        typed,
        confirmed=False,
        title="Said since",
        **{name: getattr(counted, name) for name in OF_NO_RELATION},
    )
    unsaid = dataclasses.replace(counted, relation=None)
    assert again.back_in(Relation.VALUES, unsaid).date_ranges == counted.date_ranges
    assert again.back_in(Relation.VALUES, unsaid).relation is Relation.VALUES


def test_what_is_asked_in_the_first_relation_goes_on_in_the_next_where_it_was_never_seen() -> None:
    """Nobody chose a unit or a query before the relation; grid and dates are chosen in the step before."""
    left = Draft(resolution=9)
    private = left.in_relation(Relation.USER)
    assert private.back_in(Relation.VALUES, left) == dataclasses.replace(left, relation=Relation.VALUES)
    asked = tuple(dataclasses.replace(query, id="mine") for query in private.queries)
    edited = dataclasses.replace(private, unit=Unit.VEHICLE, queries=asked)
    public = edited.back_in(Relation.VALUES, left)
    assert (public.resolution, public.unit, public.leading.id) == (9, Unit.VEHICLE, "mine")
    counted = edited.back_in(Relation.VALUES, dataclasses.replace(left, relation=Relation.VALUES))
    assert counted.queries == left.queries


def test_a_unit_that_relation_user_does_not_protect_is_left_open() -> None:
    draft = Draft(relation=Relation.VALUES, unit=Unit.VEHICLE_HAT_DAY)
    assert draft.in_relation(Relation.USER).unit is None


def test_queries_are_answered_as_the_relation_offers_it() -> None:
    asked = (
        QueryDraft(budget=Budget(total=Decimal(7))),
        QueryDraft(id="moments", statistic="mean_variance", budget=Budget(per_hat=Decimal(1))),
    )
    private = Draft(relation=Relation.VALUES, queries=asked).in_relation(Relation.USER)
    assert [(query.statistic, query.mechanism) for query in private.queries] == [("mean", "bounded-mean")]
    assert private.leading.budget == Budget(total=Decimal(7))
    back = private.in_relation(Relation.VALUES)
    assert back.leading.mechanism == Draft().leading.mechanism
    assert back.hats_per_vehicle is None
    alone = Draft(relation=Relation.VALUES, queries=asked[1:]).in_relation(Relation.USER)
    assert [query.statistic for query in alone.queries] == ["mean"]


def test_a_constant_that_bounds_nothing_need_not_be_typed(tmp_path: Path) -> None:
    draft, source = draft_of(load_spec(write_taxis(tmp_path, edits=ENFORCED)))
    open_draft = dataclasses.replace(draft, hats_per_vehicle=None)
    assert document(open_draft, source, tmp_path)["privacy"]["hats_per_vehicle"] == 1
    bounded, source = draft_of(load_spec(write_taxis(tmp_path)))
    untyped = dataclasses.replace(bounded, hats_per_vehicle=None)
    with pytest.raises(InputError, match="hats_per_vehicle"):
        spec_of(untyped, source, tmp_path)


@pytest.mark.parametrize("relation", [None, *Relation])
@pytest.mark.parametrize("same", [False, True])
def test_other_records_clear_the_release_and_other_vehicles_who_is_charged(
    relation: Relation | None, same: bool
) -> None:
    draft = Draft(
        relation=relation, population="buses", title="Speeds", hours=("05:00", "07:00"), threshold=3
    )
    changed = draft.cleared_for(same_vehicles=same)
    assert {"title", "name", "version", "confirmed"} <= changed.keys()
    for name in ("population", "publisher", "contact"):
        assert (name in changed) is not same
    for name in ("relation", "unit", "hours", "threshold"):
        assert (name in changed) is (not same and relation is not Relation.USER)
    assert changed == {name: getattr(Draft(), name) for name in changed}
