"""ui.session.guards: each reason applies where it should, is told once, and stands in one place."""

from __future__ import annotations

import ast
import inspect
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.privacy import Relation, Unit
from core.system.paths import find_home
from tests.builders import CELLS, make_query, make_release
from tests.city import POPULATION
from tests.core.accounting.ledger_cases import request_of
from tests.syntax_tree import nodes_of
from tests.ui.languages import spoken
from tests.ui.release_story import WAIT_MS, city_session
from tests.ui.small_city import TIMEOUT, edit, loaded_session, planned_session
from tests.ui.taxi_story import rest, user_session
from ui.language.translation import catalogue_of
from ui.session.guards import budget, parameters, plots, protection, reasons
from ui.session.guards.reasons import Guard, Reason, first_reason
from ui.session.session import Session

ROOT = Path(__file__).resolve().parents[4]
PARTS = (budget, parameters, plots, protection, reasons)
NAMED = {name: found for part in PARTS for name, found in vars(part).items()}
LISTS = {name: guard for name, guard in NAMED.items() if isinstance(guard, tuple)}
GUARDS = [
    function
    for name, function in NAMED.items()
    if inspect.isfunction(function)
    and not name.startswith("_")
    and inspect.get_annotations(function) == {"session": "Session", "return": "Reason | None"}
]

NOTHING_TO_SHARE = "One visit of a vehicle lies in one hexagon slot, so there is no total to divide"


def what(session: Session, by: tuple[Guard, ...]) -> str:
    reason = first_reason(session, by)
    return "" if reason is None else reason.what


def test_the_lists_hold_guards() -> None:
    assert len(GUARDS) > 20
    assert set(LISTS) == {
        "BUDGET",
        "COMPARED_COUNTS",
        "COMPARED_GRIDS",
        "COMPARED_METHODS",
        "CONFIRMATION",
        "CONSTANT_CURVES",
        "DERIVED",
        "ERRORS",
        "ERROR_CURVES",
        "ERROR_SUMMARY",
        "PARAMETERS",
        "RELEASE",
        "RELEASED_DISTRIBUTION",
        "REVIEW",
        "SUPPRESSION",
        "TYPED_HEXAGONS",
        "TYPED_WINDOW",
    }
    for listed in LISTS.values():
        assert set(listed) <= set(GUARDS)
        assert len(set(listed)) == len(listed)


def _sentences(path: Path) -> set[str]:
    """What a file hands to a translator."""
    return {
        node.args[0].value
        for node in nodes_of(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
        if getattr(node.func, "attr", getattr(node.func, "id", "")) in {"_tr", "tr"}
        if ast.unparse(node.func) in {"_tr", "self.tr", "tr"}
    }


def test_no_other_file_says_what_a_guard_says() -> None:
    own = ROOT / "ui" / "session" / "guards"
    said = {sentence for path in own.glob("*.py") for sentence in _sentences(path)}
    assert len(said) > 25
    for path in sorted((ROOT / "ui").rglob("*.py")):
        if path.parent != own:
            assert _sentences(path) & said == set(), path


@pytest.mark.usefixtures("qapp")
def test_without_data_that_comes_first() -> None:
    session = Session(find_home())
    compared = ("COMPARED_GRIDS", "COMPARED_METHODS")
    for name in ("PARAMETERS", "ERRORS", "RELEASE", "ERROR_CURVES", "SUPPRESSION", *compared):
        told = Reason(what="No data yet", mend="Open records in step Data.", note="needs data")
        assert first_reason(session, LISTS[name]) == told
    assert what(session, budget.REVIEW) == "Make a signing key first."


def test_the_first_reason_is_told_and_none_where_the_way_is_free(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    for name in set(LISTS) - {"RELEASED_DISTRIBUTION", "CONSTANT_CURVES", "COMPARED_GRIDS"}:
        assert first_reason(session, LISTS[name]) is None
    yes, no = Reason(what="yes"), Reason(what="no")
    assert first_reason(session, (lambda _: None, lambda _: yes, lambda _: no)) is yes
    assert first_reason(session, ()) is None


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        (
            {"unit": None},
            {
                "PARAMETERS": "How much of a vehicle is protected is not chosen yet",
                "ERROR_CURVES": "How much of a vehicle is protected is not chosen yet",
                "SUPPRESSION": "How much of a vehicle is protected is not chosen yet",
                "CONFIRMATION": "Choose how much of a vehicle is protected to read what you confirm.",
                "ERROR_SUMMARY": "Errors and cost appear once you have chosen how much of a vehicle is "
                "protected.",
                "COMPARED_GRIDS": "How much of a vehicle is protected is not chosen yet",
                "COMPARED_METHODS": "How much of a vehicle is protected is not chosen yet",
            },
        ),
        (
            {"relation": Relation.USER, "date_ranges": ()},
            {
                "PARAMETERS": "The time zone is not typed yet",
                "CONSTANT_CURVES": "The time zone is not typed yet",
                "ERROR_SUMMARY": "The time zone is not typed yet",
                "ERROR_CURVES": "No error curves for this protection",
                "SUPPRESSION": "No suppression with “Presence too”",
                "COMPARED_GRIDS": "With “Presence too” no count is public",
                "COMPARED_METHODS": "With “Presence too” no count is public",
            },
        ),
        ({"place_kind": "none"}, {}),
        ({"threshold": 2}, {"CONSTANT_CURVES": "No constant to choose here"}),
        (
            {"unit": Unit.VEHICLE_HAT_DAY},
            {"SUPPRESSION": "Nothing to suppress", "ERROR_CURVES": "", "COMPARED_GRIDS": NOTHING_TO_SHARE}
            | {"COMPARED_METHODS": NOTHING_TO_SHARE},
        ),
        ({"minimum_vehicles": 6}, {"SUPPRESSION": "Every selected hexagon slot has fewer than 6 vehicles."}),
        (
            {"minimum_vehicles": 6},
            {"COMPARED_METHODS": "No hexagon slot would be published"},
        ),
        (
            {"statistic": "query1", "mechanism": "baseline"},
            {
                "COMPARED_METHODS": "The release has no mean",
                "COMPARED_GRIDS": "Grids are compared for shares, or for a mean by Tokens without regions",
            },
        ),
        (
            {"threshold": 500},
            {
                "PARAMETERS": "The threshold leaves no hexagon slot.",
                "ERROR_CURVES": "The threshold leaves no hexagon slot.",
                "ERROR_SUMMARY": "The threshold leaves no hexagon slot.",
                "SUPPRESSION": "The threshold leaves no hexagon slot.",
                "CONFIRMATION": "Select hexagons first; the statement to confirm then appears here.",
            },
        ),
    ],
)
def test_each_reason_applies_where_it_should(
    qtbot: QtBot, tmp_path: Path, change: dict[str, Any], sentences: dict[str, str]
) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, **change)
    assert {name: what(session, LISTS[name]) for name in sentences} == sentences


def test_who_is_protected_is_asked_for_what_hangs_on_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    curves, users = protection.noise_needs_privacy(session), protection.occupancy_needs_privacy(session)
    assert curves is not None
    assert users is not None
    assert curves.what == users.what
    assert curves.mend.startswith("How much noise a hexagon slot needs depends on who is protected.")
    assert users.mend.startswith("What suppression saves depends on ")
    assert {"Choose it in step Parameters" in reason.mend for reason in (curves, users)} == {True}
    assert protection.cost_needs_privacy(session) == Reason(what="Choose who is protected to see the cost.")
    session.choose_relation("Relation", Relation.USER)
    typed = [reason for guard in parameters.TYPED_HEXAGONS if (reason := guard(session)) is not None]
    assert [one.note for one in typed] == [
        "type the time zone",
        "type the dates",
        "name the candidate hexagons",
    ]
    assert typed[2].mend == "Choose a boundary or a list, or type a box or cells."
    open_unit = protection.total_needs_privacy(session)
    assert open_unit is not None
    assert open_unit.mend == "Choose below who is protected; then grids are recommended."
    private = plots.no_public_counts(session)
    assert private is not None
    assert private.mend.startswith("Counts must not decide a grid, a method or a budget.")


def test_whoever_has_chosen_a_relation_is_asked_for_what_of_a_vehicle(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, relation=Relation.VALUES)
    asked = (
        protection.cost_needs_privacy,
        protection.errors_need_privacy,
        protection.confirmation_needs_privacy,
    )
    for guard in asked:
        reason = guard(session)
        assert reason is not None
        assert "much of a vehicle is protected" in reason.what


def test_a_delta_is_asked_for_where_it_is_always_in_reach(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={"noise": "gauss"}, budget=Budget(total=Decimal(10)))
    reason = parameters.no_delta(session)
    assert reason is not None
    assert reason.mend.startswith("Choose a population, and set its delta (step Parameters, More… beside")
    session.edit("Population", population="New buses")  # named, and the ledger does not know it yet
    reason = parameters.no_delta(session)
    assert reason is not None
    assert reason.mend.startswith("Set the delta of New buses")
    Ledger.open(session.home.ledger).set_limit("City buses", per_vehicle=Decimal(50))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    session.edit("Population", population="City buses")
    reason = parameters.no_delta(session)
    assert reason is not None
    assert reason.mend.startswith("Set the delta of City buses (step Parameters, More… beside its limit)")


def test_while_a_draft_is_planned_the_curves_wait(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    pending = (plots.curves_unplanned, plots.users_unplanned, parameters.selection_pending)
    told: list[str] = []
    session.contributions_changed.connect(lambda: told.extend(what(session, (guard,)) for guard in pending))
    session.edit("Resolution", resolution=8)
    assert what(session, (reasons.busy,)) == "Working; ready in a moment."
    qtbot.waitUntil(lambda: not session.busy, timeout=10_000)
    assert told == ["Planning…"] * 3
    assert first_reason(session, (*pending, reasons.busy)) is None


def test_before_a_plan_is_made_anew_nobody_suppresses_in_vain(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    session.edit("Least vehicles", minimum_vehicles=6)
    assert what(session, plots.SUPPRESSION) == "No hexagon slot would be published"


def test_a_chosen_hat_without_records_is_named(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    cell = session.overview.cells[0]
    assert plots.chosen_hat_empty(session) is None
    session.chosen.choose_hat(cell, 20)
    assert what(session, (plots.chosen_hat_empty,)) == f"Hexagon {cell} at 20:00 holds no records"
    assert plots.index_of(session.overview, (cell, 20)) == -1
    slot = int(session.overview.slots[0])
    session.chosen.choose_hat(cell, slot)
    assert plots.chosen_hat_empty(session) is None
    assert plots.index_of(session.overview, (cell, slot)) == 0


@pytest.mark.usefixtures("qapp")
def test_true_errors_are_shown_once_that_is_confirmed() -> None:
    session = Session(find_home())
    assert what(session, (plots.not_evaluated,)) == "Not confirmed yet"
    session.ledger.set_evaluated("Buses")
    assert what(session, (plots.not_evaluated,)) == "Not confirmed yet"
    session.edit("Population", population="Buses")
    assert plots.not_evaluated(session) is None
    session.edit("Population", population="Trams")
    assert what(session, (plots.not_evaluated,)) == "Not confirmed yet"
    assert session.ledger.evaluated


def test_what_the_ledger_would_refuse_is_told_before(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, limit="5", key=False)
    assert what(session, (budget.over_budget,)).startswith("! The ledger would refuse: epsilon 6 per vehicle")
    edit(qtbot, session, budget=Budget(total=Decimal(5)))
    assert budget.over_budget(session) is None
    assert budget.ledger_refuses(session) is None
    session.edit("Population", population="")
    assert budget.over_budget(session) is None
    assert what(session, (budget.population_unknown,)) == "No population with a limit yet"
    assert what(session, parameters.PARAMETERS) == "choose a population"


def read_ledger(qtbot: QtBot, session: Session) -> None:
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()


def test_a_population_of_another_zone_is_told_before(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    assert first_reason(session, budget.BUDGET) is None
    Ledger.open(session.home.ledger).reserve(request_of(population=POPULATION))
    read_ledger(qtbot, session)
    told = what(session, budget.BUDGET)
    assert "its days are counted in America/Chicago, those of these data in Asia/Kolkata" in told


def test_a_population_of_another_relation_is_told_before(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    Ledger.open(session.home.ledger).reserve(request_of(population=POPULATION, zone="Asia/Kolkata"))
    read_ledger(qtbot, session)
    assert first_reason(session, (budget.another_relation,)) is None
    session.choose_relation("Relation", Relation.USER)
    assert "it has released with “Values only”" in what(session, budget.BUDGET)
    reason = first_reason(session, budget.BUDGET)
    assert reason is not None
    assert reason.note == "released with another protection"
    with spoken(qapp, catalogue_of("hi")):
        assert "“केवल मान” के साथ" in what(session, budget.BUDGET)
    qtbot.waitUntil(lambda: not session.busy, timeout=10_000)


def test_linked_populations_over_a_limit_are_told_before(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit("Same buses", per_vehicle=Decimal(3))
    ledger.reserve(request_of("3", population="Same buses", zone="Asia/Kolkata"))
    ledger.link("Same buses", POPULATION)
    read_ledger(qtbot, session)
    assert "6 per vehicle is more than is left" in what(session, budget.BUDGET)
    ledger.set_limit("Same buses", per_vehicle=Decimal(2))
    read_ledger(qtbot, session)
    assert "it has spent more than a limit" in what(session, budget.BUDGET)


def test_a_population_without_a_limit_is_told_before(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    Ledger.open(session.home.ledger).mark_evaluated("New buses")
    session.edit("Population", population="New buses")
    read_ledger(qtbot, session)
    assert what(session, budget.BUDGET).startswith("No limit is set yet")


@pytest.mark.usefixtures("qapp")
def test_a_released_distribution_is_of_a_chosen_hexagon_slot_that_has_one() -> None:
    session, shown = Session(find_home()), plots.RELEASED_DISTRIBUTION
    assert what(session, shown) == "No released distribution yet"
    reason = first_reason(session, shown)
    assert reason is not None
    assert reason.mend == "Release a query with the statistic “Distribution of speeds”, and look here again."
    query = make_query(statistic="cdf", mechanism="cdf")
    session.release.show_preview(make_release(queries=(query,)))
    assert what(session, shown) == "No hexagon slot is chosen"
    session.chosen.choose_hat(CELLS[0], 20)
    assert what(session, shown) == f"Hexagon {CELLS[0]} at 20:00 is not in the release"
    for row in query.rows:
        session.chosen.choose_hat(row.cell, int(row.slot_start.partition(":")[0]))
        told = f"Hexagon {row.cell} at {row.slot_start} is suppressed"
        assert what(session, shown) == ("" if row.estimates else told)
    assert {bool(row.estimates) for row in query.rows} == {True, False}


def test_records_of_another_zone_are_none_of_the_draft(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.contributions is not None
    counted_in = session.contributions.zone
    session.edit("Zone", zone="America/Chicago")
    assert parameters.zone_differs(session) is None, "in relation values the zone is that of the records"
    session.choose_relation("Relation", Relation.USER)
    session.edit("Zone", zone="America/Chicago")
    assert what(session, (parameters.zone_differs,)) == f"The records are divided into days in {counted_in}."
    session.edit("Zone", zone=counted_in)
    assert parameters.zone_differs(session) is None
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


def test_a_window_without_records_cannot_be_counted(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    assert plots.window_empty(session) is None
    session.edit("Hours", hours=("02:00", "03:00"))
    rest(qtbot, session)
    assert what(session, plots.COMPARED_COUNTS) == "No record lies in this window"
