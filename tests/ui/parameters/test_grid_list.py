"""ui.parameters.grid_list: grids at a total, from the core alone; a row is taken in one step."""

from __future__ import annotations

import dataclasses
import time
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidgetItem
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.advice.city_advice import CityAdvice, GridOption
from core.contributions import EVALUATION_TIE_KEY, Contributions, UserTable, users_of
from core.privacy import Relation, Unit
from core.progress import Progress, silent
from tests.ui.languages import spoken
from tests.ui.small_city import TIMEOUT, edit, loaded_session, pings, planned_session
from tests.ui.table_story import table_session
from tests.ui.user_actions import LEFT, press, show, texts
from ui.language.translation import catalogue_of
from ui.parameters import grid_list as module
from ui.parameters.budget_box import BudgetBox
from ui.parameters.grid_list import GridList
from ui.parameters.grid_request import GridRequest, compare_grids, grid_request
from ui.parameters.grid_row import ROW, GridRow, grid_row
from ui.parameters.query_list import QueryList
from ui.session.query_texts import first_measure
from ui.session.session import Session

TOTAL = Decimal(400)


def tokens(qtbot: QtBot, session: Session, total: Decimal = TOTAL) -> None:
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=total))
    settle(qtbot, session)


def settle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    session = planned_session(qtbot, tmp_path)
    tokens(qtbot, session)
    return session


@pytest.fixture
def grids(qtbot: QtBot, session: Session) -> GridList:
    made = GridList(session, lambda: session.draft.leading.id)
    show(qtbot, made, width=300)
    return made


def test_of_a_table_no_other_grid_is_known_and_it_says_so(
    qtbot: QtBot, tmp_path: Path, qapp: QApplication
) -> None:
    session = table_session(qtbot, tmp_path)
    tokens(qtbot, session)
    grids = GridList(session, lambda: session.draft.leading.id)
    show(qtbot, grids, width=300)
    assert not grids.compare.isEnabled()
    assert "knows its own grid alone. To compare" in grids.hint.text()
    with spoken(qapp, catalogue_of("hi")):
        grids.refresh()
        assert "जानती है। " in grids.hint.text()
    grids.start()
    assert not grids.job.running
    assert not isinstance(grid_request(session), GridRequest)


def compare(qtbot: QtBot, grids: GridList) -> None:
    with qtbot.waitSignal(grids.job.finished, timeout=TIMEOUT):
        press(qtbot, grids.compare)


def items(grids: GridList) -> list[QListWidgetItem]:
    return [grids.rows.item(row) for row in range(grids.rows.count())]


def shown(grids: GridList) -> list[GridRow]:
    return [item.data(ROW) for item in items(grids)]


def by_core(session: Session) -> CityAdvice:
    request = grid_request(session)
    assert isinstance(request, GridRequest)
    return compare_grids(request, silent)


def another(session: Session, advice: CityAdvice) -> GridOption:
    """An option of another resolution than the draft's."""
    return next(one for one in advice.options if one.resolution != session.draft.resolution)


def test_at_rest_there_is_one_button(grids: GridList) -> None:
    assert grids.compare.isVisible()
    for widget in (grids.progress, grids.stop, grids.rows, grids.reason, grids.hint, grids.bound):
        assert not widget.isVisible()


def test_the_rows_are_those_of_the_core(qtbot: QtBot, session: Session, grids: GridList) -> None:
    compare(qtbot, grids)
    advice, measure = by_core(session), first_measure(session.draft.leading, session.quantity)
    assert advice.options
    expected = [grid_row(one, measure, advice.roles(one), own=False) for one in advice.options]
    assert [dataclasses.replace(row, own=False, spoken="") for row in shown(grids)] == [
        dataclasses.replace(row, spoken="") for row in expected
    ]
    assert expected[0].error == f"≈ {advice.options[0].error:.2f} km/h"
    assert advice.reason in texts(grids)
    assert advice.bound in texts(grids)
    (own,) = (row for row in shown(grids) if row.own)
    assert grids.rows.currentRow() == shown(grids).index(own), "a key pressed in passing changes nothing"
    assert own.spoken.startswith("Chosen now.")
    assert own.title == f"Resolution {session.draft.resolution}, {session.draft.slot_minutes} minutes"


@pytest.mark.parametrize("how", ["click", "key"])
def test_a_row_is_taken_as_one_step_and_undone_as_one(
    qtbot: QtBot, session: Session, grids: GridList, how: str
) -> None:
    compare(qtbot, grids)
    advice = by_core(session)
    option = another(session, advice)
    item = items(grids)[advice.options.index(option)]
    before, steps = session.draft, session.undo_stack.count()
    if how == "click":
        place = grids.rows.visualItemRect(item).center()
        qtbot.mouseClick(grids.rows.viewport(), LEFT, pos=place)
    else:
        grids.rows.setFocus()
        grids.rows.setCurrentItem(item)
        qtbot.keyClick(grids.rows, Qt.Key.Key_Return)
    draft = session.draft
    assert session.undo_stack.count() == steps + 1
    assert draft.resolution == option.resolution != before.resolution
    assert draft.slot_minutes == option.window.slot_length
    assert draft.hours == option.window.hours
    settle(qtbot, session)
    assert session.contributions is not None
    assert session.contributions.resolution == option.resolution
    assert shown(grids)[advice.options.index(option)].own, "the list stays, another row is the draft's"
    for told in (grids.reason, grids.bound):
        assert not told.isVisible(), "it is told of the grid that was compared, and the draft has another"
    session.undo_stack.undo()
    assert session.draft == before
    settle(qtbot, session)
    assert grids.rows.count() == len(advice.options)
    assert grids.reason.isVisible()
    assert grids.bound.isVisible()


def test_hours_that_a_row_makes_longer_are_told(qtbot: QtBot, session: Session, grids: GridList) -> None:
    """Whole slots of an hour may ask for more hours than were chosen: what is published changes."""
    edit(qtbot, session, hours=("09:00", "10:30"), slot_minutes=30)
    settle(qtbot, session)
    compare(qtbot, grids)
    assert grids._advice is not None
    longer = next(one for one in grids._advice.options if one.window.hours != session.draft.hours)
    first, last = longer.window.hours
    row = shown(grids)[grids._advice.options.index(longer)]
    assert f"Hours: {first} to {last}." in row.spoken
    grids.take(longer)
    settle(qtbot, session)
    assert f"Hours are now {first} to {last}; they were 09:00 to 10:30" in grids.hint.text()
    session.undo_stack.undo()
    settle(qtbot, session)
    assert "Hours are now" not in grids.hint.text()


def test_taking_what_the_draft_has_is_no_step(qtbot: QtBot, session: Session, grids: GridList) -> None:
    compare(qtbot, grids)
    steps = session.undo_stack.count()
    own = next(item for item in items(grids) if item.data(ROW).own)
    grids.rows.itemActivated.emit(own)
    assert session.undo_stack.count() == steps


def test_another_question_needs_another_list(qtbot: QtBot, session: Session, grids: GridList) -> None:
    compare(qtbot, grids)
    assert grids.rows.count()
    tokens(qtbot, session, TOTAL * 2)
    assert grids.rows.count() == 0
    assert texts(grids) == ""
    compare(qtbot, grids)
    assert grids.rows.count()
    edit(qtbot, session, resolution=9, threshold=1)
    assert grids.rows.count() == 0


def test_it_can_be_stopped(
    qtbot: QtBot, session: Session, grids: GridList, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_request: GridRequest, progress: Progress) -> CityAdvice:
        while True:
            progress(0.3, "Comparing")
            time.sleep(0.005)

    monkeypatch.setattr(module, "compare_grids", endless)
    before = session.draft
    press(qtbot, grids.compare)
    qtbot.waitUntil(lambda: grids.progress.value() == 300, timeout=TIMEOUT)
    assert not grids.compare.isEnabled()
    with qtbot.waitSignals([grids.job.cancelled, grids.job.finished], timeout=TIMEOUT):
        press(qtbot, grids.stop)
    assert not grids.stop.isVisible()
    assert grids.compare.isEnabled()
    assert grids.hint.text() == "Stopped."
    assert session.draft == before
    monkeypatch.undo()
    compare(qtbot, grids)
    assert grids.rows.count()


def test_a_changed_draft_drops_the_work(
    qtbot: QtBot, session: Session, grids: GridList, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_request: GridRequest, progress: Progress) -> CityAdvice:
        while True:
            progress(0.3, "Comparing")
            time.sleep(0.005)

    monkeypatch.setattr(module, "compare_grids", endless)
    press(qtbot, grids.compare)
    tokens(qtbot, session, TOTAL * 2)
    assert not grids.job.running
    assert grids.compare.isEnabled()
    assert not grids.progress.isVisible()


def test_too_little_is_no_use_and_says_what_would_do(qtbot: QtBot, session: Session, grids: GridList) -> None:
    tokens(qtbot, session, Decimal("0.5"))
    compare(qtbot, grids)
    own = next(row for row in shown(grids) if row.own)
    assert not own.recommended
    assert own.verdict == "No use"
    assert "more than a constant from a total of" in texts(grids)


def test_gaussian_rows_come_with_a_delta(qtbot: QtBot, session: Session, grids: GridList) -> None:
    compare(qtbot, grids)
    assert "Laplace noise only" in texts(grids)
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal(50), delta=Decimal("1e-6"))
    session.edit("Population", population="Buses")
    session.ledger.read()
    qtbot.waitUntil(lambda: bool(session.ledger.delta) and not session.busy, timeout=TIMEOUT)
    assert grids.rows.count() == 0, "another delta is another question"
    compare(qtbot, grids)
    assert "Laplace noise only" not in texts(grids)
    assert len(shown(grids)) == len(by_core(session).options)


def test_equal_vehicles_stand_in_the_order_of_the_population_that_pays(
    qtbot: QtBot, session: Session, grids: GridList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the plan of the draft's own grid, which stands beside the list."""
    keys: set[bytes] = set()

    def noting(table: Contributions, unit: Unit, key: bytes) -> UserTable:
        keys.add(key)
        return users_of(table, unit, key)

    monkeypatch.setattr("core.advice.city_advice.users_of", noting)
    compare(qtbot, grids)
    assert keys == {EVALUATION_TIE_KEY}, "none pays yet"
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal(50))
    session.edit("Population", population="Buses")
    session.ledger.read()
    qtbot.waitUntil(lambda: session.planning.is_planned_as_charged and not session.busy, timeout=TIMEOUT)
    assert grids.rows.count() == 0, "another order is another question"
    keys.clear()
    compare(qtbot, grids)
    assert keys == {Ledger(session.home.ledger).tie_key("Buses")}
    assert grids.rows.count()


def test_other_values_give_the_same_list(qtbot: QtBot, tmp_path: Path) -> None:
    lists = []
    for name, speed in (("a", 60.0), ("b", 30.0)):
        session = planned_session(
            qtbot, tmp_path / name, pings(lambda bus, step, top=speed: top - bus - step / 9)
        )
        tokens(qtbot, session)
        lists.append(by_core(session).to_json())
    assert lists[0] == lists[1]


def test_it_is_there_for_a_joint_mean_by_hat_alone(qtbot: QtBot, session: Session, grids: GridList) -> None:
    edit(qtbot, session, parameters={"regions": True, "promised_error": 30.0})
    assert not grids.isVisible()
    edit(qtbot, session, mechanism="baseline", parameters={})
    assert not grids.isVisible()
    other = GridList(session, lambda: "another query")
    qtbot.addWidget(other)
    tokens(qtbot, session)
    assert grids.isVisible()
    assert other.isHidden()


def test_without_relation_and_unit_the_reason_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=TOTAL))
    grids = GridList(session, lambda: session.draft.leading.id)
    show(qtbot, grids)
    press(qtbot, grids.compare)
    assert texts(grids) == "Who is protected is not chosen yet"
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE_HAT_DAY)
    press(qtbot, grids.compare)
    assert "no total to share out" in texts(grids)


def test_it_stands_in_the_budget_and_fits_its_column(qtbot: QtBot, session: Session) -> None:
    box = BudgetBox(session, QueryList(session))
    show(qtbot, box, width=328)
    least = box.minimumSizeHint().width()
    compare(qtbot, box.grids)
    assert box.grids.rows.count()
    assert box.minimumSizeHint().width() == least
    assert box.width() == 328
