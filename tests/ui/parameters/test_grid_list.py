"""ui.parameters.grid_list: grids at a total, from the core alone; a row is taken in one step."""

from __future__ import annotations

import time
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QListWidgetItem
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.advice.city_advice import CityAdvice, GridOption
from core.contributions import EVALUATION_TIE_KEY, Contributions, UserTable, users_of
from core.privacy import Relation, Unit
from core.progress import Progress, silent
from tests.ui.days_story import days_page
from tests.ui.languages import spoken
from tests.ui.small_city import TIMEOUT, edit, loaded_session, pings, planned_session
from tests.ui.table_story import table_session
from tests.ui.user_actions import LEFT, press, show
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of
from ui.parameters import grid_list as module
from ui.parameters.grid_list import GridHead, GridList
from ui.parameters.grid_request import GridRequest, compare_grids, grid_request
from ui.parameters.grid_row import RIGHTS, ROW, GridRow
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
    made = GridList(session)
    show(qtbot, made, width=376)
    return made


def test_of_a_table_no_other_grid_is_known_and_it_says_so(
    qtbot: QtBot, tmp_path: Path, qapp: QApplication
) -> None:
    session = table_session(qtbot, tmp_path)
    tokens(qtbot, session)
    grids = GridList(session)
    show(qtbot, grids, width=376)
    assert not grids.compare.isVisible()
    assert "knows its own grid alone. To compare" in grids.note.text()
    with spoken(qapp, catalogue_of("hi")):
        grids.refresh()
        assert "जानती है। " in grids.note.text()
    grids.start()
    assert not grids.job.running
    assert not isinstance(grid_request(session), GridRequest)


def compare(qtbot: QtBot, grids: GridList) -> None:
    with qtbot.waitSignal(grids.job.finished, timeout=TIMEOUT):
        grids.start()


def items(grids: GridList) -> list[QListWidgetItem]:
    return [grids.rows.item(row) for row in range(grids.rows.count())]


def shown(grids: GridList) -> list[GridRow]:
    return [item.data(ROW) for item in items(grids)]


def by_core(session: Session) -> CityAdvice:
    request = grid_request(session)
    assert isinstance(request, GridRequest)
    return compare_grids(request, silent)


def listed(advice: CityAdvice) -> list[GridOption]:
    return list(dict.fromkeys(one for one in advice.rows.values() if one is not None))


def test_the_rows_are_those_of_the_core_once_the_draft_rests(
    qtbot: QtBot, session: Session, grids: GridList
) -> None:
    qtbot.waitUntil(lambda: grids.rows.count() > 0, timeout=TIMEOUT)
    advice = by_core(session)
    assert [row.cells[3] for row in shown(grids)] == [f"{one.error:.2f}" for one in listed(advice)]
    assert [row.usefulness for row in shown(grids)] == [one.usefulness for one in listed(advice)]
    assert [row.recommended for row in shown(grids)] == [one == advice.balanced for one in listed(advice)]
    assert advice.reason in grids.note.toolTip().replace("\n", " ")


@pytest.mark.parametrize("how", ["click", "key"])
def test_a_row_is_taken_as_one_step_and_undone_as_one(
    qtbot: QtBot, session: Session, grids: GridList, how: str
) -> None:
    edit(qtbot, session, resolution=5)
    compare(qtbot, grids)
    item = items(grids)[0]
    before, steps = session.draft, session.undo_stack.count()
    if how == "click":
        place = grids.rows.visualItemRect(item).center()
        qtbot.mouseClick(grids.rows.viewport(), LEFT, pos=place)
    else:
        grids.rows.setFocus()
        grids.rows.setCurrentItem(item)
        assert grids.rows.accessibleDescription() == "Space takes the row into the draft."
        qtbot.keyClick(grids.rows, Qt.Key.Key_Space)
    assert session.undo_stack.count() == steps + 1
    assert session.draft.resolution != before.resolution
    settle(qtbot, session)
    assert shown(grids)[0].own, "the list stays, and says which row is the draft's"
    session.undo_stack.undo()
    assert session.draft == before
    settle(qtbot, session)
    assert grids.rows.count()
    assert not any(row.own for row in shown(grids))
    assert grids.note.text().startswith("Your choice is not among these.")


def test_hours_that_a_row_makes_longer_are_told(qtbot: QtBot, session: Session, grids: GridList) -> None:
    """Whole slots of an hour may ask for more hours than were chosen: what is published changes."""
    edit(qtbot, session, hours=("09:00", "10:30"), slot_minutes=30)
    settle(qtbot, session)
    compare(qtbot, grids)
    longer = next(one for one in listed(by_core(session)) if one.window.hours != session.draft.hours)
    first, last = longer.window.hours
    grids.take(longer)
    settle(qtbot, session)
    assert f"Hours are now {first} to {last}" in grids.note.text()
    session.undo_stack.undo()
    settle(qtbot, session)
    assert "Hours are now" not in grids.note.text()


def test_a_new_draft_takes_the_balanced_grid_once_its_protection_is_chosen(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """Nobody has chosen a grid: the recommended one is there before anybody confirms; one step undoes it."""
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, threshold=1, resolution=5)
    page = days_page(qtbot, session)
    grids = page.grids
    session.choose_relation("Relation", Relation.VALUES)
    edit(qtbot, session, unit=Unit.VEHICLE)
    tokens(qtbot, session)
    with qtbot.waitSignal(grids.advised, check_params_cb=lambda advice: advice is not None, timeout=TIMEOUT):
        pass
    settle(qtbot, session)
    best = by_core(session).balanced
    assert best is not None
    assert (session.draft.resolution, session.draft.slot_minutes) == (
        best.resolution,
        best.window.slot_length,
    )
    assert page.knobs.of_timeslot.text.text() == "Set as recommended; before: 230 km², 1 hour."
    assert session.undo_stack.undoText() == "Grid"
    session.undo_stack.undo()
    settle(qtbot, session)
    assert session.draft.resolution == 5, "what was undone is not taken again"


def test_a_grid_that_a_spec_brought_stays_when_the_protection_is_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, threshold=1, resolution=5)
    session.grid_given = True
    grids = GridList(session)
    show(qtbot, grids, width=376)
    session.choose_relation("Relation", Relation.VALUES)
    edit(qtbot, session, unit=Unit.VEHICLE)
    tokens(qtbot, session)
    with qtbot.waitSignal(grids.advised, check_params_cb=lambda advice: advice is not None, timeout=TIMEOUT):
        pass
    settle(qtbot, session)
    best = by_core(session).balanced
    assert best is not None
    assert best.resolution != session.draft.resolution == 5


def test_figures_of_another_question_are_grey_until_its_own_are_there(
    qtbot: QtBot, session: Session, grids: GridList
) -> None:
    compare(qtbot, grids)
    assert grids.rows.isEnabled()
    tokens(qtbot, session, TOTAL * 2)
    assert not grids.rows.isEnabled()
    compare(qtbot, grids)
    assert grids.rows.isEnabled()


def test_it_can_be_stopped(
    qtbot: QtBot, session: Session, grids: GridList, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_request: GridRequest, progress: Progress) -> CityAdvice:
        while True:
            progress(0.3, "Comparing")
            time.sleep(0.005)

    monkeypatch.setattr(module, "compare_grids", endless)
    before = session.draft
    grids.start()
    qtbot.waitUntil(lambda: grids.progress.value() == 300, timeout=TIMEOUT)
    assert not grids.progress.isTextVisible(), "a bar alone"
    assert grids.progress.width() + grids.stop.width() > 0.9 * grids.width()
    with qtbot.waitSignals([grids.job.cancelled, grids.job.finished], timeout=TIMEOUT):
        press(qtbot, grids.stop)
    assert not grids.stop.isVisible()
    names = [grids.progress.accessibleName(), grids.stop.accessibleName()]
    assert names == ["Comparing grids", "Stop comparing grids"]
    assert grids.note.text() == "Stopped."
    assert session.draft == before
    monkeypatch.undo()
    compare(qtbot, grids)
    assert grids.rows.count()


def test_of_very_many_records_grids_are_compared_only_when_asked(
    qtbot: QtBot, session: Session, grids: GridList, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert session.loaded is not None
    records = len(session.loaded.records)
    for most, asked_for in ((records, False), (records - 1, True)):
        monkeypatch.setattr(module, "_MOST_BY_ITSELF", most)
        tokens(qtbot, session, TOTAL * (2 + asked_for))
        assert grids.compare.isVisible() is asked_for
    qtbot.wait(module._AFTER_MS + 100)
    assert not grids.job.running
    with qtbot.waitSignal(grids.job.finished, timeout=TIMEOUT):
        press(qtbot, grids.compare)
    assert grids.rows.isEnabled()
    assert not grids.compare.isVisible()


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
    assert not grids.rows.isEnabled(), "another order is another question"
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


def test_why_there_are_no_rows_is_told(qtbot: QtBot, session: Session, grids: GridList) -> None:
    edit(qtbot, session, parameters={"regions": True, "promised_error": 30.0})
    assert grids.note.text() == "Grids are compared for shares, or for a mean by Tokens without regions."
    edit(qtbot, session, parameters={}, unit=Unit.VEHICLE_HAT_DAY)
    assert "no total to divide" in grids.note.text()
    session.edit("Relation", relation=None)
    assert grids.note.text().startswith("Who is protected is not chosen yet.")
    assert not grids.rows.isVisible()
    session.edit("Relation", relation=Relation.VALUES, unit=Unit.VEHICLE)
    assert not grids.note.text(), "grids will be compared"


@pytest.mark.parametrize("language", ["en", "hi"])
def test_names_of_columns_do_not_touch(qtbot: QtBot, qapp: QApplication, theme: Theme, language: str) -> None:
    """374 pixels: what 1366x768 leave at 150 %."""
    with spoken(qapp, catalogue_of(language)):
        head = GridHead()
        qtbot.addWidget(head)
    assert theme.colours, "its letters are those of the program"
    letters, rights = head.fontMetrics(), [round(right * 374) for right in RIGHTS]
    for name, before, right in zip(head.names[1:], rights, rights[1:], strict=False):
        assert right - letters.horizontalAdvance(name) >= before + 3
    small = QFont(qapp.font())
    small.setPointSizeF(small.pointSizeF() - 1)
    for widest, before, right in zip(
        ("all hours", "100\u00a0%", "0.94"), rights[:-1], rights[1:], strict=True
    ):
        least = 4 if widest == "0.94" else 8
        assert right - QFontMetrics(small).horizontalAdvance(widest) >= before + least, widest
