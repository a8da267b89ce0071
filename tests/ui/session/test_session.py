"""ui.session.session: what a load, an edit, an undo, a stop and a late result leave behind."""

from __future__ import annotations

import dataclasses
import datetime as dt
import gc
import threading
import weakref
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.draft.draft import DataSource, Draft
from core.errors import HexveilError, InputError
from core.grouping.groupings import BESTFIT, GROUPINGS
from core.hats.groups import Group
from core.privacy import Relation, Unit
from core.progress import Progress
from core.release.prepare_publish import PublishedRelease, plan_release
from core.spec import load_spec
from core.spec.defaults import DEFAULT_MECHANISM
from core.system.paths import find_home
from tests.builders import make_release
from tests.city import BY_ORDER, POPULATION, write_city
from tests.labelled_city import MAPPED, write_labelled_city
from tests.records import Ping, instant, rules, write_csv
from tests.ui.release_story import make_home, make_session
from tests.ui.small_city import (
    PLACES,
    TIMEOUT,
    VEHICLES,
    add_queries,
    edit,
    loaded_session,
    pings,
    planned_session,
)
from ui.session import loaded_data, opened_data, planning
from ui.session.session import Session

FIRST, THIRD = dt.date(2022, 1, 1), dt.date(2022, 1, 3)
DAY_MS = 24 * 3_600_000


class Gate:
    """Holds a worker until it is opened; a cancel gets through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.calls = 0
        self.entered = threading.Event()
        self._open = threading.Event()
        module = next(one for one in (loaded_data, opened_data, planning) if hasattr(one, name))
        self._work = getattr(module, name)
        monkeypatch.setattr(module, name, self)

    def __call__(self, *args: Any, **named: Any) -> Any:
        self.calls += 1
        self.entered.set()
        progress: Progress = named.get("progress") or args[-1]
        while not self._open.wait(0.005):
            progress(0.0, "waiting")
        return self._work(*args, **named)

    def open(self) -> None:
        self._open.set()


def source_of(folder: Path, city: list[Any] | None = None) -> DataSource:
    folder.mkdir(exist_ok=True)
    return DataSource(files=(write_csv(folder / "other.csv", city or pings()),), rules=rules())


def settle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


def stop(qtbot: QtBot, session: Session, gate: Gate) -> None:
    """Stop what waits at the gate; the session is at rest again."""
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    with qtbot.waitSignal(session.noted, timeout=TIMEOUT):
        session.cancel()
    settle(qtbot, session)


def selected(session: Session) -> int:
    assert session.forecast is not None
    assert session.forecast.selection is not None
    return len(session.forecast.selection)


def cost(session: Session) -> Decimal:
    assert session.forecast is not None
    assert session.forecast.plan is not None
    return session.forecast.plan.charge.per_vehicle


def test_a_page_may_edit_while_a_load_is_announced(qtbot: QtBot, tmp_path: Path) -> None:
    session = Session(find_home())
    session.data_changed.connect(lambda: session.edit("t", threshold=3))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(source_of(tmp_path / "a"))
    settle(qtbot, session)
    assert session.draft.threshold == 3
    assert session.forecast is not None


def test_loading_brings_data_contributions_and_preview_in_order(qtbot: QtBot, tmp_path: Path) -> None:
    session = Session(find_home())
    order: list[str] = []
    session.data_changed.connect(lambda: order.append("data"))
    session.contributions_changed.connect(lambda: order.append("contributions"))
    session.forecast_changed.connect(lambda: order.append("forecast"))
    with qtbot.waitSignals([session.forecast_changed, session.noted], timeout=TIMEOUT):
        session.load(source_of(tmp_path / "a"))
    assert order == ["data", "contributions", "forecast"]
    assert session.loaded is not None
    assert session.loaded.report.users == sum(VEHICLES)
    assert session.contributions is not None
    assert session.contributions.hats == 2 * len(PLACES)
    assert session.chosen.slot == 9
    settle(qtbot, session)
    assert not session.undo_stack.count()


def test_relation_and_unit_are_never_chosen_by_a_load(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    assert (session.draft.relation, session.draft.unit, session.draft.confirmed) == (None, None, False)
    assert session.forecast is not None
    assert session.forecast.plan is None


def test_a_failing_load_keeps_data_and_preview(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    before = (session.loaded, session.source, session.draft, session.contributions, session.forecast)
    with qtbot.waitSignal(session.failed, timeout=TIMEOUT) as failed:
        session.load(DataSource(files=(tmp_path / "gone.csv",), rules=rules()))
    assert isinstance(failed.args[0], InputError)
    assert (
        session.loaded,
        session.source,
        session.draft,
        session.contributions,
        session.forecast,
    ) == before
    assert not session.busy


def test_a_load_that_is_stopped_keeps_data_and_preview(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    before = (session.loaded, session.source, session.draft, session.contributions, session.forecast)
    gate = Gate(monkeypatch, "contributions_of")
    session.load(source_of(tmp_path / "b"))
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    with qtbot.waitSignal(session.noted, timeout=TIMEOUT) as noted:
        session.cancel()
    assert "as it was" in noted.args[0]
    assert (
        session.loaded,
        session.source,
        session.draft,
        session.contributions,
        session.forecast,
    ) == before
    settle(qtbot, session)


OF_THE_OLD_CITY = {
    "population": "old buses",
    "name": "old-city",
    "title": "Old city",
    "version": "3.0.0",
    "confirmed": True,
}


def story_of_the_old_city(qtbot: QtBot, folder: Path) -> Session:
    """Everything that a release needs is chosen, for the buses of one city."""
    session = planned_session(qtbot, folder)
    edit(qtbot, session, hours=("09:00", "10:00"))
    session.edit("texts", **OF_THE_OLD_CITY, publisher="Office")
    return session


def open_other(qtbot: QtBot, session: Session, folder: Path, **named: Any) -> Draft:
    """The next day's records of whoever they are."""
    later = [ping._replace(instant=ping.instant + 24 * 3_600_000) for ping in pings(lambda bus, _: 5.0 + bus)]
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(source_of(folder, later), **named)
    settle(qtbot, session)
    return session.draft


def test_buses_of_another_city_are_not_charged_to_the_old_city_s_budget(qtbot: QtBot, tmp_path: Path) -> None:
    session = story_of_the_old_city(qtbot, tmp_path)
    draft = open_other(qtbot, session, tmp_path / "new")
    new = Draft()
    assert {name: getattr(draft, name) for name in OF_THE_OLD_CITY} == {
        name: getattr(new, name) for name in OF_THE_OLD_CITY
    }
    assert draft.date_ranges == ((dt.date(2022, 1, 2), dt.date(2022, 1, 2)),)
    assert draft.hours == new.hours
    assert draft.threshold == 3  # of the median HAT: nowhere are there as many as in a new draft
    assert (draft.publisher, draft.relation, draft.unit) == ("", None, None), "they are asked again"
    # no step brings back a part of what was
    assert not session.undo_stack.canUndo()
    session.undo_stack.undo()
    assert session.draft == draft


def test_the_same_vehicles_stay_charged_and_their_release_is_named_anew(qtbot: QtBot, tmp_path: Path) -> None:
    session = story_of_the_old_city(qtbot, tmp_path)
    draft = open_other(qtbot, session, tmp_path / "new", same_vehicles=True)
    assert (draft.population, draft.hours, draft.threshold) == ("old buses", ("09:00", "10:00"), 3)
    assert (draft.name, draft.title, draft.version, draft.confirmed) == ("", "", "1.0.0", False)
    assert draft.date_ranges == ((dt.date(2022, 1, 2), dt.date(2022, 1, 2)),)


def test_what_is_typed_of_the_old_city_while_another_loads_is_cleared_too(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    gate = Gate(monkeypatch, "contributions_of")
    session.load(source_of(tmp_path / "b"))
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    session.edit("texts", **OF_THE_OLD_CITY)
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        gate.open()
    settle(qtbot, session)
    assert session.draft.population == session.draft.title == ""
    assert not session.draft.confirmed


def test_what_follows_from_records_stays_out_of_a_relation_chosen_while_they_load(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    gate = Gate(monkeypatch, "contributions_of")
    night = [ping._replace(instant=instant("2022-01-01T23:05:00")) for ping in pings()[:3]]
    session.load(source_of(tmp_path / "b", night))
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    session.choose_relation("Relation", Relation.USER)
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        gate.open()
    settle(qtbot, session)
    new = Draft()
    assert session.draft.date_ranges == ()
    assert (session.draft.hours, session.draft.threshold) == (new.hours, new.threshold)


def three_days() -> list[Ping]:
    return [ping._replace(instant=ping.instant + day * DAY_MS) for day in range(3) for ping in pings()]


def choose(qtbot: QtBot, session: Session, relation: Relation) -> None:
    session.choose_relation("Relation", relation)
    settle(qtbot, session)


def test_values_only_keeps_what_was_chosen_before(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path, three_days())
    edit(qtbot, session, date_ranges=((FIRST, FIRST), (THIRD, THIRD)), resolution=8, threshold=3)
    before = session.draft
    choose(qtbot, session, Relation.VALUES)
    assert session.draft == dataclasses.replace(before, relation=Relation.VALUES)


@pytest.mark.parametrize("begun", [None, Relation.VALUES])
def test_who_tries_the_other_relation_finds_all_as_it_was(
    qtbot: QtBot, tmp_path: Path, begun: Relation | None
) -> None:
    session = loaded_session(qtbot, tmp_path, three_days())
    edit(
        qtbot,
        session,
        date_ranges=((FIRST, FIRST), (THIRD, THIRD)),
        resolution=8,
        hours=("08:00", "12:00"),
        threshold=3,
        minimum_vehicles=4,
        unit=Unit.VEHICLE_HAT_DAY,
        relation=begun,
    )
    counted = session.draft
    choose(qtbot, session, Relation.USER)
    private = session.draft
    assert (private.resolution, private.date_ranges) == (Draft().resolution, ())
    typed = {"zone": "Asia/Kolkata", "date_ranges": ((FIRST, THIRD),), "hats_per_vehicle": 5}
    session.edit("Typed", **typed, unit=Unit.VEHICLE, title="Speeds")
    settle(qtbot, session)
    private = session.draft
    choose(qtbot, session, Relation.VALUES)
    assert session.draft == dataclasses.replace(counted, relation=Relation.VALUES, title="Speeds")
    assert session.planning.problem is None
    session.edit("Since", publisher="City")
    choose(qtbot, session, Relation.USER)
    assert session.draft == dataclasses.replace(private, publisher="City")
    while session.undo_stack.canUndo():
        session.undo_stack.undo()
    settle(qtbot, session)
    assert session.draft.relation is None
    edit(qtbot, session, resolution=6)
    choose(qtbot, session, Relation.VALUES)
    assert session.draft.resolution == 6, "what is shown, not what was left"


def test_other_data_bring_back_no_choices_of_the_old_ones(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, resolution=8, relation=Relation.VALUES)
    choose(qtbot, session, Relation.USER)
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(source_of(tmp_path / "b"))
    settle(qtbot, session)
    choose(qtbot, session, Relation.VALUES)
    assert session.draft.resolution == Draft().resolution
    assert session.draft.date_ranges == session.recorded_dates
    assert session.draft.rule == Draft().rule


def test_the_slot_shown_keeps_its_time_where_the_window_has_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, hours=("06:00", "12:00"))
    session.chosen.show_slot(6)
    edit(qtbot, session, slot_minutes=30)
    assert session.chosen.slot == 12
    edit(qtbot, session, slot_minutes=60, resolution=6)
    assert session.chosen.slot == 6
    edit(qtbot, session, hours=("08:00", "12:00"))
    assert session.chosen.slot == 9, "there is no slot at six: the first with records"
    edit(qtbot, session, hours=("09:00", "11:00"), resolution=7)
    assert session.chosen.slot == 9
    session.undo_stack.undo()
    session.undo_stack.undo()
    settle(qtbot, session)
    assert session.chosen.slot == 6
    session.chosen.show_slot(10)
    edit(qtbot, session, hours=("10:00", "12:00"))
    edit(qtbot, session, hours=("06:00", "12:00"))
    assert session.chosen.slot == 10


def test_the_first_slot_shown_has_records(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.chosen.slot == 9
    edit(qtbot, session, hours=("00:00", "24:00"))
    session.chosen.show_slot(3)
    late = [ping._replace(instant=ping.instant + 9 * 3_600_000) for ping in pings()]
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(source_of(tmp_path / "b", late), same_vehicles=True)
    settle(qtbot, session)
    assert session.draft.hours == ("00:00", "24:00")
    assert session.chosen.slot == 18


def test_the_first_slot_shown_is_no_night_of_a_few_in_the_depot(qtbot: QtBot, tmp_path: Path) -> None:
    """Of a city whose buses start at five the map opened at three, with nobody almost everywhere."""
    many = [ping._replace(instant=ping.instant + 1000 * step) for ping in pings() for step in range(20)]
    depot = pings()[0]._replace(instant=pings()[0].instant - 3 * 3_600_000)
    session = planned_session(qtbot, tmp_path, [*many, depot])
    edit(qtbot, session, hours=("06:00", "12:00"))
    session.chosen.show_slot(8)
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(source_of(tmp_path / "b", [*many, depot]), same_vehicles=True)
    settle(qtbot, session)
    assert session.draft.hours == ("06:00", "12:00")
    assert session.contributions is not None
    assert int(session.contributions.slot.min()) < 9
    assert session.chosen.slot == 9


def test_where_nearly_all_records_lie_is_known(qtbot: QtBot, tmp_path: Path) -> None:
    stray = pings()[0]._replace(latitude=-33.0, longitude=151.0)
    many = [ping._replace(instant=ping.instant + 1000 * step) for ping in pings() for step in range(20)]
    session = loaded_session(qtbot, tmp_path, [*many, stray])
    assert session.usual_box is not None
    south, west, north, east = session.usual_box
    assert (south, north) == (PLACES[0][0], PLACES[-1][0])
    assert west == east == PLACES[0][1]


def test_data_without_the_usual_hours_open_with_their_own(qtbot: QtBot, tmp_path: Path) -> None:
    night = [ping._replace(instant=instant("2022-01-01T23:05:00")) for ping in pings()[:3]]
    session = loaded_session(qtbot, tmp_path, night)
    assert session.draft.hours == ("23:00", "24:00")
    assert session.contributions is not None


def test_what_is_chosen_while_data_load_is_kept(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    gate = Gate(monkeypatch, "contributions_of")
    session.load(source_of(tmp_path / "b"))
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    session.edit("Resolution", resolution=6)
    session.edit("Threshold", threshold=2)
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        gate.open()
    settle(qtbot, session)
    assert (session.draft.resolution, session.draft.threshold) == (6, 2)
    assert session.contributions is not None
    assert session.contributions.resolution == 6
    assert session.forecast is not None


def test_a_map_click_while_data_load_breaks_nothing(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    gate = Gate(monkeypatch, "contributions_of")
    session.load(source_of(tmp_path / "b"))
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    session.chosen.choose_hat(session.overview.cells[0], 10)
    assert session.chosen.hat == (session.overview.cells[0], 10)
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        gate.open()
    settle(qtbot, session)
    assert session.chosen.hat is None
    assert session.forecast is not None


def test_resolution_indexes_anew_and_epsilon_only_plans(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    indexed: list[int] = []
    index = loaded_data.contributions_of

    def counted(*args: Any, **named: Any) -> Any:
        indexed.append(args[1])
        return index(*args, **named)

    monkeypatch.setattr(loaded_data, "contributions_of", counted)
    before, contributions = cost(session), session.contributions
    edit(qtbot, session, budget=Budget(total=Decimal(4)))
    assert not indexed
    assert session.contributions is contributions
    assert cost(session) < before
    edit(qtbot, session, resolution=5)
    assert indexed == [5]
    assert session.contributions is not None
    assert session.contributions.resolution == 5


def test_undo_and_redo_restore_the_draft_and_the_preview(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    at_three, planned = (session.draft, selected(session), cost(session)), session.forecast
    edit(qtbot, session, threshold=5, budget=Budget(per_hat=Decimal(2)))
    at_five = (session.draft, selected(session), cost(session))
    assert at_five[1:] != at_three[1:]
    for step, expected in ((session.undo_stack.undo, at_three), (session.undo_stack.redo, at_five)):
        with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
            step()
        assert (session.draft, selected(session), cost(session)) == expected
        again = session.forecast
        assert again is not None
        assert planned is not None
        assert (again.plan is planned.plan) == (expected is at_three)  # nothing is planned twice


def test_undo_of_a_resolution_restores_the_hexagons(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    cells = session.overview.cells
    edit(qtbot, session, resolution=5)
    assert session.overview.cells != cells
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    assert session.overview.cells == cells
    assert selected(session) == 4


def test_a_drag_is_one_undo_step(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    before, steps = session.draft, session.undo_stack.count()
    for epsilon in (1, 2, 3, 5, 7):
        session.set_budget("Epsilon", Budget(total=Decimal(epsilon)), dragging=True)
    assert session.undo_stack.count() == steps + 1
    assert session.draft.leading.budget == Budget(total=Decimal(7))
    session.undo_stack.undo()
    assert session.draft == before


def test_dragging_back_to_the_start_leaves_no_step(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    steps, budget = session.undo_stack.count(), session.draft.leading.budget
    for epsilon in (1, 2, 10):
        session.set_budget("Epsilon", Budget(total=Decimal(epsilon)), dragging=True)
    assert session.draft.leading.budget == budget
    assert session.undo_stack.count() == steps


def test_other_fields_and_typing_are_steps_of_their_own(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    steps = session.undo_stack.count()
    session.edit("Threshold", dragging=True, threshold=4)
    session.edit("Minimum vehicles", dragging=True, minimum_vehicles=4)
    session.set_budget("Epsilon", Budget(total=Decimal(1)), dragging=True)
    session.set_budget("Epsilon", Budget(total=Decimal(2)))
    session.set_budget("Epsilon", Budget(total=Decimal(3)))
    session.set_budget("Epsilon", Budget(total=Decimal(4)), dragging=True)
    assert session.undo_stack.count() == steps + 6


def test_an_edit_of_nothing_is_no_step(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    session.edit("Confirmation", confirmed=True)
    steps = session.undo_stack.count()
    session.edit("Unit", unit=Unit.VEHICLE, relation=Relation.VALUES)
    session.edit("Threshold", threshold=session.draft.threshold)
    assert session.undo_stack.count() == steps
    assert session.draft.confirmed


@pytest.mark.parametrize("change", [{"unit": Unit.VEHICLE_DAY}, {"relation": None}])
def test_another_relation_or_unit_takes_the_confirmation_back(
    qtbot: QtBot, tmp_path: Path, change: dict[str, Any]
) -> None:
    session = planned_session(qtbot, tmp_path)
    session.edit("Confirmation", confirmed=True)
    session.edit("Other", **change)
    assert not session.draft.confirmed
    session.undo_stack.undo()
    assert session.draft.confirmed


def test_the_last_of_two_quick_edits_is_what_is_shown(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    gate = Gate(monkeypatch, "forecast")
    shown: list[int] = []
    session.forecast_changed.connect(lambda: shown.append(selected(session)))
    session.edit("a", threshold=1)
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    session.edit("b", threshold=5)
    gate.open()
    settle(qtbot, session)
    assert shown == [2]


def test_a_plan_never_uses_hexagons_of_another_resolution(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    gate = Gate(monkeypatch, "contributions_of")
    with qtbot.assertNotEmitted(session.forecast_changed, wait=50):
        session.edit("a", resolution=5)
        session.edit("b", threshold=1)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        gate.open()
    assert session.forecast is not None
    assert session.forecast.overview is session.overview
    assert session.contributions is not None
    assert session.contributions.resolution == 5
    assert selected(session) == session.contributions.hats


@pytest.mark.parametrize("hours", [("09:30", "11:00"), ("12:00", "10:00"), ("02:00", "03:00"), ("", "x")])
def test_hours_that_do_not_fit_are_told_and_the_contributions_stay(
    qtbot: QtBot, tmp_path: Path, hours: tuple[str, str]
) -> None:
    session = planned_session(qtbot, tmp_path)
    contributions = session.contributions
    edit(qtbot, session, hours=hours)
    problem = session.planning.problem
    assert problem is not None
    assert problem.what
    assert problem.where
    assert problem.mend
    assert session.forecast is None
    assert session.contributions is contributions


def test_a_problem_of_the_hours_outlives_other_edits_and_ends_with_undo(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, hours=("12:00", "10:00"))
    session.set_budget("Epsilon", Budget(total=Decimal(3)))
    settle(qtbot, session)
    assert session.planning.problem is not None
    assert session.forecast is None
    session.undo_stack.undo()
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    assert session.planning.problem is None
    assert selected(session) == 4


def test_stopping_a_new_index_goes_back_to_what_is_shown(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    forecast, contributions = session.forecast, session.contributions
    gate = Gate(monkeypatch, "contributions_of")
    session.edit("Resolution", resolution=5)
    stop(qtbot, session, gate)
    assert session.draft.resolution == 7
    assert session.contributions is contributions
    assert session.forecast is forecast


def test_stopping_a_plan_goes_back_to_what_is_shown(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    forecast, draft = session.forecast, session.draft
    gate = Gate(monkeypatch, "forecast")
    session.edit("Threshold", threshold=1)
    stop(qtbot, session, gate)
    assert (session.draft, session.forecast) == (draft, forecast)


def test_stopping_the_first_plan_says_how_to_go_on(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch, "forecast")
    session = Session(find_home())
    session.load(source_of(tmp_path / "a"))
    qtbot.waitUntil(gate.entered.is_set, timeout=TIMEOUT)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.cancel()
    assert session.planning.problem is not None
    assert session.planning.problem.mend
    gate.open()
    edit(qtbot, session, threshold=1)
    assert session.planning.problem is None


def test_a_bug_while_planning_is_told_and_nothing_stale_is_shown(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)

    def broken(*_: Any, **__: Any) -> None:
        raise KeyError("bus17 at 12 km/h")

    monkeypatch.setattr(planning, "forecast", broken)
    with qtbot.waitSignal(session.failed, timeout=TIMEOUT) as failed:
        session.edit("Threshold", threshold=1)
    assert isinstance(failed.args[0], KeyError)
    assert session.forecast is None
    assert isinstance(session.planning.problem, HexveilError)
    assert "bus17" not in str(session.planning.problem)


def test_another_window_s_ledger_entry_shows_after_reading(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    session.edit("Population", population="Buses")
    assert session.ledger.population is None
    session.home.create()
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal(8))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert session.ledger.population is not None
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal(9))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert session.ledger.population.per_vehicle == Decimal(9)


def test_what_is_planned_is_what_the_ledger_will_be_charged(qtbot: QtBot, tmp_path: Path) -> None:
    """Each population has its own order of vehicles with equally many records, and prices follow from it."""
    spec = write_city(tmp_path / "city", edit=BY_ORDER)
    make_home(key=False)
    session = make_session(qtbot, spec)
    visits = set()
    for name in ("Buses", "Trams", "Ferries"):
        Ledger.open(session.home.ledger).set_limit(name, per_vehicle=Decimal(8))
        with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
            session.ledger.read()
        edit(qtbot, session, population=name)
        own = spec.with_name(f"{name}.toml")
        own.write_text(spec.read_text(encoding="utf-8").replace(POPULATION, name), encoding="utf-8")
        assert session.contributions is not None
        prepared = plan_release(
            load_spec(own), Ledger.open(session.home.ledger), session.contributions, report=None
        )
        assert session.forecast is not None
        assert session.forecast.charge == prepared.review.charge
        assert session.planning.is_planned_as_charged
        visits.add(prepared.review.charge.per_vehicle_hat_day)
    assert len(visits) > 1
    session.edit("Population", population="Trams")
    assert session.busy, "the plan is still that of the ferries"
    assert not session.planning.is_planned_as_charged
    edit(qtbot, session, population="")
    assert not session.planning.is_planned_as_charged


def test_the_ledger_is_read_once_and_the_key_of_the_chosen_population_alone_is_kept(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    for name in ("Buses", "Trams"):
        Ledger.open(session.home.ledger).set_limit(name, per_vehicle=Decimal(8))
    read: list[Path] = []
    load = Ledger._load
    monkeypatch.setattr(Ledger, "_load", lambda self: (read.append(self.path), load(self))[1])
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert read == [session.home.ledger]
    edit(qtbot, session, population="Trams")
    assert session.planning.is_planned_as_charged
    assert session.ledger._tie_key == ("Trams", Ledger(session.home.ledger).tie_key("Trams"))


def test_of_populations_in_quick_succession_the_last_is_planned_for(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    for name in ("Buses", "Trams"):
        Ledger.open(session.home.ledger).set_limit(name, per_vehicle=Decimal(8))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    edit(qtbot, session, population="Buses")
    assert session.planning.is_planned_as_charged
    session.edit("Population", population="Trams")
    assert session.busy
    session.edit("Population", population="")
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert not session.planning.is_planned_as_charged


def test_a_ledger_that_cannot_be_read_holds_no_plan_up(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal(8))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    session.home.ledger.write_bytes(b"no ledger")
    with qtbot.waitSignal(session.failed, timeout=TIMEOUT):
        edit(qtbot, session, population="Buses")
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert session.forecast is not None
    assert not session.planning.is_planned_as_charged


def test_speeds_never_change_what_the_preview_shows(qtbot: QtBot, tmp_path: Path) -> None:
    shown = []
    for name, speed in (("slow", 1.0), ("fast", 60.0)):
        session = planned_session(
            qtbot, tmp_path / name, pings(lambda bus, step, v=speed: v + (bus + step) / 10)
        )
        forecast = session.forecast
        assert forecast is not None
        assert forecast.plan is not None
        assert forecast.selection is not None
        shown.append(
            (
                forecast.overview.cells,
                forecast.overview.vehicles.tolist(),
                forecast.overview.records.tolist(),
                forecast.selection.index.tolist(),
                forecast.plan.charge,
                [plan.measures for plan in forecast.plan.plans],
                forecast.single_vehicle,
            )
        )
    assert shown[0] == shown[1]


def test_busy_ends_with_the_last_job(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    told: list[bool] = []
    session.busy_changed.connect(told.append)
    session.edit("Resolution", resolution=5)
    assert session.busy
    settle(qtbot, session)
    qtbot.waitUntil(lambda: told[-1] is False, timeout=TIMEOUT)


def test_it_is_busy_while_the_key_of_another_population_is_read(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    for name in ("Buses", "Trams"):
        Ledger.open(session.home.ledger).set_limit(name, per_vehicle=Decimal(9))
    session.ledger.read()
    qtbot.waitUntil(lambda: len(session.ledger.populations) == 2, timeout=TIMEOUT)
    session.edit("Population", population="Buses")
    settle(qtbot, session)
    told: list[bool] = []
    session.busy_changed.connect(told.append)
    session.edit("Population", population="Trams")
    assert session.ledger.needs_key
    assert told[:1] == [True]
    settle(qtbot, session)


def test_choosing_a_hat_shows_its_slot_and_none_clears_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    cell = session.overview.cells[0]
    with qtbot.waitSignals([session.hat_chosen, session.slot_changed]):
        session.chosen.choose_hat(cell, 10)
    assert (session.chosen.hat, session.chosen.slot) == ((cell, 10), 10)
    with qtbot.waitSignal(session.hat_chosen):
        session.chosen.choose_hat(None)
    assert (session.chosen.hat, session.chosen.slot) == (None, 10)


def of_arrays(qtbot: QtBot, folder: Path) -> Session:
    """A session that has planned a mean over arrays."""
    session = planned_session(qtbot, folder)
    edit(qtbot, session, mechanism="array-averaging", budget=Budget(per_hat=Decimal(1)))
    settle(qtbot, session)
    return session


def watched_counts(session: Session) -> list[weakref.ref[Any]]:
    """What holds counts of the loaded data: the cache of plans, the users, the contributions, the plan."""
    shown = session.forecast
    assert shown is not None
    assert shown.users is not None
    assert shown.plan is not None
    assert session.contributions is not None
    sizes = shown.plan.plans[0].detail.plan.assignment.sizes
    held = (session.planning.cache, shown.users.counts, session.contributions.vehicle, sizes)
    return [weakref.ref(item) for item in held]


def alive(watched: list[weakref.ref[Any]]) -> list[bool]:
    gc.collect()
    return [ref() is not None for ref in watched]


@pytest.fixture(scope="module")
def _little_to_search() -> None:
    """What is there before these tests is not looked at each time that they look for garbage."""
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("_little_to_search")
def test_other_data_leave_no_counts_of_the_old_ones(qtbot: QtBot, tmp_path: Path) -> None:
    session = of_arrays(qtbot, tmp_path)
    watched = watched_counts(session)
    assert all(alive(watched))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(source_of(tmp_path / "other", pings()[::2]))
    settle(qtbot, session)
    qtbot.waitUntil(lambda: not any(alive(watched)), timeout=TIMEOUT)


@pytest.mark.usefixtures("_little_to_search")
def test_a_closed_session_leaves_no_counts(qtbot: QtBot, tmp_path: Path) -> None:
    session = of_arrays(qtbot, tmp_path)
    watched = watched_counts(session)
    assert all(alive(watched))
    session.deleteLater()
    del session
    qtbot.wait(1)
    assert not any(alive(watched))


def test_another_epsilon_groups_no_vehicles_anew(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What makes a dragged epsilon quick: a plan finds the arrays of the one before."""
    group, calls = GROUPINGS[BESTFIT], []

    def counted(counts: Any, m_ub: int) -> Any:
        calls.append(m_ub)
        return group(counts, m_ub)

    monkeypatch.setitem(GROUPINGS, BESTFIT, counted)
    session = of_arrays(qtbot, tmp_path)
    assert calls
    calls.clear()
    before = cost(session)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(2)))
    settle(qtbot, session)
    assert cost(session) == 2 * before
    # the adviser also plans mechanisms whose cap follows from epsilon: at most for its one HAT
    assert len(calls) <= 1


# the advised mechanism

EVEN = pings(each=4)
"""Where every bus gives as many records, Baseline is as good as any until two-step clipping can clip."""
ADVISED_AT = {Decimal(2): "baseline", Decimal(100): "two-step-clipping", Decimal(20): "baseline"}
"""Epsilon of each HAT of that city, and the mechanism for it."""


def follows(qtbot: QtBot, session: Session) -> bool:
    """Whether another epsilon brings the mechanism that is advised for it."""
    given = []
    for epsilon in ADVISED_AT:
        session.set_budget("Epsilon", Budget(per_hat=epsilon))
        settle(qtbot, session)
        given.append(session.draft.leading.mechanism)
    return given == list(ADVISED_AT.values())


def test_a_new_draft_has_the_mechanism_that_is_advised_for_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    steps = session.undo_stack.count()
    assert follows(qtbot, session)
    assert session.planning.advice is not None
    assert session.draft.leading.mechanism == session.planning.advice.mechanism
    assert session.undo_stack.count() == steps + len(ADVISED_AT)  # no steps of its own


def test_no_plan_is_shown_that_the_advised_one_replaces_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    shown: list[tuple[str, str]] = []

    def note() -> None:
        assert session.forecast is not None
        assert session.forecast.plan is not None
        shown.append(
            (
                session.forecast.plan.query.question.title,
                session.draft.leading.asked_of(session.quantity).question.title,
            )
        )

    session.forecast_changed.connect(note)
    assert follows(qtbot, session)
    assert len(shown) == len(ADVISED_AT)
    assert all(planned == chosen for planned, chosen in shown)


def test_nothing_is_advised_while_counts_may_be_private(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path, EVEN)
    edit(qtbot, session, unit=Unit.VEHICLE, threshold=3, budget=Budget(per_hat=Decimal(2)))
    assert session.planning.advice is None
    assert session.draft.leading.mechanism == DEFAULT_MECHANISM
    edit(qtbot, session, relation=Relation.VALUES)
    assert session.draft.leading.mechanism == ADVISED_AT[Decimal(2)]


@pytest.mark.parametrize("change", [{"mechanism": "levy"}, {"parameters": {"m_ub": 2}}])
def test_what_a_person_chose_is_kept_with_another_epsilon_and_other_data(
    qtbot: QtBot, tmp_path: Path, change: dict[str, Any]
) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(2)))
    session.edit_query("Choice", **change)
    settle(qtbot, session)
    chosen = (session.draft.leading.mechanism, session.draft.leading.parameters)
    assert not follows(qtbot, session)
    assert (session.draft.leading.mechanism, session.draft.leading.parameters) == chosen
    for name in ("b", "c"):
        with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
            session.load(source_of(tmp_path / name, EVEN))
        assert not follows(qtbot, session)
        assert (session.draft.leading.mechanism, session.draft.leading.parameters) == chosen


def test_a_choice_that_is_undone_is_none_and_counts_again_once_it_is_redone(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(2)))
    before = session.undo_stack.index()
    edit(qtbot, session, mechanism="levy")
    edit(qtbot, session, budget=Budget(per_hat=Decimal(20)))
    assert session.draft.leading.mechanism == "levy"
    for index, mechanism in ((before, ADVISED_AT[Decimal(2)]), (before + 2, "levy")):
        with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
            session.undo_stack.setIndex(index)
        settle(qtbot, session)
        assert session.draft.leading.mechanism == mechanism
    session.undo_stack.setIndex(before)
    settle(qtbot, session)
    assert follows(qtbot, session)


def test_undo_of_an_epsilon_brings_back_what_was_advised_for_the_one_before(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    for epsilon in (2, 100):
        edit(qtbot, session, budget=Budget(per_hat=Decimal(epsilon)))
    for step, epsilon in ((session.undo_stack.undo, 2), (session.undo_stack.redo, 100)):
        with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
            step()
        assert session.draft.leading.budget == Budget(per_hat=Decimal(epsilon))
        assert session.draft.leading.mechanism == ADVISED_AT[Decimal(epsilon)]


def test_a_relation_that_is_tried_chooses_no_mechanism(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    settle(qtbot, session)
    advised = session.draft.queries
    choose(qtbot, session, Relation.USER)
    choose(qtbot, session, Relation.VALUES)
    assert session.draft.queries == advised
    assert follows(qtbot, session)


def test_parameters_of_another_statistic_choose_no_mechanism(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    add_queries(qtbot, session, "query2")
    session.edit_query("Limits", number=1, parameters={"limits": (30.0,)})
    settle(qtbot, session)
    assert follows(qtbot, session)


def test_a_spec_s_mechanism_is_kept_until_other_data_begin_a_new_draft(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(source_of(tmp_path / "a", EVEN), session.draft)
    settle(qtbot, session)
    assert not follows(qtbot, session)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(source_of(tmp_path / "b", EVEN), same_vehicles=True)
    settle(qtbot, session)
    assert follows(qtbot, session)


def test_a_budget_that_the_mechanism_s_noise_divides_keeps_the_mechanism(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """Advice for the epsilon of the one is none for that of the other: each would ask for the other."""
    session = planned_session(qtbot, tmp_path, EVEN)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(20)))
    for total in (40, 20, 4):
        edit(qtbot, session, budget=Budget(total=Decimal(total), divide="optimal"))
        assert session.draft.leading.mechanism == ADVISED_AT[Decimal(20)]
        assert session.planning.problem is None


def test_a_plan_of_advice_that_is_stopped_shows_the_one_before(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path, EVEN)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(2)))
    plan = planning.forecast
    asked: list[int] = []

    def second_waits(*args: Any, **named: Any) -> Any:
        asked.append(1)
        while len(asked) == 2:
            named["progress"](0.0, "waiting")
        return plan(*args, **named)

    monkeypatch.setattr(planning, "forecast", second_waits)
    session.set_budget("Epsilon", Budget(per_hat=Decimal(100)))
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=TIMEOUT)
    with qtbot.waitSignal(session.noted, timeout=TIMEOUT):
        session.cancel()
    settle(qtbot, session)
    assert session.draft.leading.mechanism == ADVISED_AT[Decimal(2)]
    assert session.forecast is not None
    assert session.forecast.plan is not None
    assert session.forecast.plan.query == session.draft.leading.asked_of(session.quantity)


def test_what_smoothing_leaves_comes_after_the_plan_and_dies_with_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    first = session.forecast
    assert first is not None
    qtbot.waitUntil(lambda: session.forecast is not first, timeout=TIMEOUT)
    assert first.plans[0].smoothed_errors is None
    assert session.forecast is not None
    assert session.forecast.plans[0].smoothed_errors is not None
    assert session.forecast.plans[0].city is first.plans[0].city
    assert not session.busy
    edit(qtbot, session, parameters={"smooth": False})
    assert not session.planning.smoothing
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert session.forecast is not None
    assert session.forecast.plans[0].smoothed_errors is not None


def test_a_choice_that_is_taken_back_while_its_plan_is_smoothed_is_smoothed_after_all(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    assert session.planning.smoothing
    session.set_budget("Epsilon", Budget(total=Decimal(11)))
    assert not session.planning.smoothing
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert session.forecast is not None
    assert session.forecast.plans[0].smoothed_errors is not None


def test_a_delta_plans_what_may_be_gaussian_anew_and_no_others(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="levy")  # whose noise cannot be Gaussian
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit("Buses", per_vehicle=Decimal(9))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    edit(qtbot, session, population="Buses")
    ledger.set_limit("Buses", per_vehicle=Decimal(9), delta=Decimal("0.000001"))
    before = session.forecast
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert not session.busy
    assert session.forecast is before
    edit(qtbot, session, mechanism="tokens", parameters={"noise": "gauss"}, budget=Budget(total=Decimal(12)))
    assert session.planning.problem is None
    qtbot.waitUntil(lambda: not session.planning.smoothing, timeout=TIMEOUT)
    ledger.set_limit("Buses", per_vehicle=Decimal(9))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert session.planning.problem is not None


def test_a_practice_release_is_told_as_one_and_the_draft_is_as_unpublished_as_before(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = planned_session(qtbot, tmp_path)
    bundle = tmp_path / "practice-bus-1.0.0"
    practised = PublishedRelease(bundle=bundle, entry=1, repeated=False, release=make_release())
    with qtbot.waitSignal(session.noted) as told:
        session.release.set_practised(practised)
    assert told.args == ["practice-bus-1.0.0 is for practice; nothing is published"]
    assert session.release.practised
    assert not session.release.was_published


def test_what_was_published_is_known_by_what_the_draft_asks_for(qtbot: QtBot, tmp_path: Path) -> None:
    """Not by its charge: that of another plan may be the same."""
    session = planned_session(qtbot, tmp_path)
    assert not session.release.was_published
    published = PublishedRelease(bundle=tmp_path, entry=1, repeated=False, release=make_release())
    with qtbot.waitSignal(session.noted) as told:
        session.release.set_published(published)
    assert told.args == [f"{tmp_path.name} is signed and saved"]
    assert session.release.was_published
    session.edit("Title", title="Other words")
    assert session.release.was_published
    edit(qtbot, session, budget=Budget(total=Decimal(7)))
    assert not session.release.was_published
    session.undo_stack.undo()
    assert session.release.was_published
    session.edit("Population", population="Others")
    assert not session.release.was_published


@pytest.mark.parametrize("practised", [False, True])
def test_what_is_shown_as_published_is_known_to_be_of_other_choices(
    qtbot: QtBot, tmp_path: Path, practised: bool
) -> None:
    session = planned_session(qtbot, tmp_path)
    assert not session.release.published_otherwise
    bundle = tmp_path / "practice-bus-1.0.0"
    published = PublishedRelease(bundle=bundle, entry=1, repeated=False, release=make_release())
    if practised:
        session.release.set_practised(published)
    else:
        session.release.set_published(published)
    assert not session.release.published_otherwise
    session.edit("Title", title="Other words")
    assert not session.release.published_otherwise
    edit(qtbot, session, budget=Budget(total=Decimal(7)))
    assert session.release.published_otherwise
    session.undo_stack.undo()
    assert not session.release.published_otherwise
    source = session.source
    assert source is not None
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(source)
    assert session.release.shown is None, "of data that are loaded anew nothing is published"


def test_a_column_whose_reading_is_stopped_tells_nothing_apart(qtbot: QtBot, tmp_path: Path) -> None:
    make_home()
    session = make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))
    session.edit("Groups", groups=(Group("direction"),))
    assert session.busy
    with qtbot.waitSignal(session.noted, timeout=TIMEOUT) as noted:
        session.cancel()
    assert noted.args == ["Stopped. Everything is as it was."]
    assert session.draft.groups == ()
    settle(qtbot, session)
    session.undo_stack.undo()
    assert session.draft.groups == (Group("direction"),), "to stop is a step like others"
    settle(qtbot, session)
