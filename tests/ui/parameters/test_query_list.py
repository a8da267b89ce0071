"""ui.parameters.query_list: add, remove and order statistics by mouse and keyboard, each an undo step."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.draft.draft import draft_of, spec_of
from core.planning.query_plan import query_errors
from core.quantity import SPEED
from core.statistics.error_figures import significant
from core.statistics.registry import all_statistics
from tests.ui.release_story import city_session
from tests.ui.small_city import TIMEOUT, edit
from tests.ui.user_actions import press, show
from ui.parameters.query_list import QueryList
from ui.session.session import Session


@pytest.fixture
def queries(qtbot: QtBot, session: Session) -> QueryList:
    widget = QueryList(session)
    show(qtbot, widget, width=320, height=400)
    return widget


def choices(queries: QueryList) -> dict[str, QAction]:
    return {action.data(): action for action in queries.add.menu().actions()}


def add(qtbot: QtBot, session: Session, queries: QueryList, *keys: str) -> None:
    for key in keys:
        with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
            choices(queries)[key].trigger()


def ids(session: Session) -> list[str]:
    return [query.id for query in session.draft.queries]


def rows(queries: QueryList) -> list[str]:
    return [queries.rows.item(number).text() for number in range(queries.rows.count())]


def test_one_row_tells_title_epsilon_and_error(session: Session, queries: QueryList) -> None:
    assert session.forecast is not None
    assert session.forecast.plan is not None
    error = query_errors(session.forecast.plan.plans).typical.median
    assert rows(queries) == [f"Mean speed: epsilon 10 in all, error {significant(error, 2)} km/h"]
    assert not queries.remove.isEnabled()
    assert not queries.up.isEnabled()
    place = queries.rows.visualItemRect(queries.rows.item(0))
    seen = queries.rows.viewport().grab(place).toImage()

    def painted(above: int, below: int) -> int:
        """Shades of the letters between two quarters of the row."""
        lines = range(place.height() * above // 4, place.height() * below // 4)
        return len({seen.pixelColor(x, y).name() for y in lines for x in range(20, place.width() // 2)})

    assert painted(0, 2) > 9, "the title"
    assert painted(2, 4) > 9, "what it costs, below"
    chosen = seen.pixelColor(place.width() // 2, 2)
    queries.rows.setCurrentRow(-1)
    unchosen = queries.rows.viewport().grab(place).toImage().pixelColor(place.width() // 2, 2)
    assert chosen != unchosen, "which one the rest of the page is about"


def test_each_statistic_can_be_added_once(qtbot: QtBot, session: Session, queries: QueryList) -> None:
    others = [key for key in all_statistics() if key != "mean"]
    assert sorted(choices(queries)) == others
    edit(qtbot, session, budget=Budget(total=Decimal(4)))
    add(qtbot, session, queries, *others)
    assert ids(session) == ["mean_speed", *others]
    assert {query.budget for query in session.draft.queries} == {Budget(total=Decimal(4))}
    assert session.planning.problem is None
    assert session.forecast is not None
    assert len(session.forecast.plans) == len(all_statistics())
    assert (queries.add.isEnabled(), queries.add.toolTip()) == (False, "Every statistic is in the release.")
    assert queries.query.id == others[-1]
    assert all("error" in row for row in rows(queries))
    assert [row.count("on the map") for row in rows(queries)] == [1] + [0] * len(others)


def test_adding_and_removing_are_undo_steps(qtbot: QtBot, session: Session, queries: QueryList) -> None:
    told = []
    queries.selected_changed.connect(lambda: told.append(queries.query.id))
    add(qtbot, session, queries, "query1", "query2")
    assert told == ["query1", "query2"], "what is added is what the rest of the page is about"
    assert session.undo_stack.undoText() == "Add Vehicles above a speed limit (Query 2)"
    session.undo_stack.undo()
    assert ids(session) == ["mean_speed", "query1"]
    assert queries.query.id == "mean_speed"
    session.undo_stack.redo()
    queries.rows.setCurrentRow(1)
    press(qtbot, queries.remove)
    assert ids(session) == ["mean_speed", "query2"]
    assert queries.query.id == "query2"
    session.undo_stack.undo()
    assert ids(session) == ["mean_speed", "query1", "query2"]
    assert queries.query.id == "query2"


def test_the_leading_one_can_be_removed_but_never_the_last(
    qtbot: QtBot, session: Session, queries: QueryList
) -> None:
    add(qtbot, session, queries, "query1")
    queries.rows.setFocus()
    qtbot.keyClick(queries.rows, Qt.Key.Key_Up)
    assert queries.query.id == "mean_speed"
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        qtbot.keyClick(queries.rows, Qt.Key.Key_Delete)
    assert ids(session) == ["query1"]
    qtbot.keyClick(queries.rows, Qt.Key.Key_Delete)
    assert ids(session) == ["query1"]
    assert not queries.remove.isEnabled()
    assert "mean" in choices(queries)
    add(qtbot, session, queries, "mean")
    assert ids(session) == ["query1", "mean_speed"]


def test_moving_up_changes_what_the_map_shows(qtbot: QtBot, session: Session, queries: QueryList) -> None:
    add(qtbot, session, queries, "query1", "query2")
    for expected in (["mean_speed", "query2", "query1"], ["query2", "mean_speed", "query1"]):
        with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
            press(qtbot, queries.up)
        assert ids(session) == expected
        assert queries.query.id == "query2"
    assert not queries.up.isEnabled()
    assert session.forecast is not None
    assert session.forecast.plan is not None
    assert session.forecast.plan.query.id == "query2"
    assert [row.endswith("on the map") for row in rows(queries)] == [True, False, False]


def test_the_keyboard_reaches_list_and_buttons(qtbot: QtBot, session: Session, queries: QueryList) -> None:
    add(qtbot, session, queries, "query1")
    reached = [queries.rows]
    queries.rows.setFocus()
    for _ in range(3):
        qtbot.keyClick(reached[-1], Qt.Key.Key_Tab)
        reached.append(queries.focusWidget())
    assert reached == [queries.rows, queries.add, queries.remove, queries.up]
    assert all(widget.accessibleName() for widget in reached)
    told = []
    queries.selected_changed.connect(lambda: told.append(queries.number))
    queries.rows.setFocus()
    qtbot.keyClick(queries.rows, Qt.Key.Key_Up)
    qtbot.keyClick(queries.rows, Qt.Key.Key_Down)
    assert told == [0, 1]


def test_what_is_composed_is_what_a_spec_holds(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    queries = QueryList(session)
    show(qtbot, queries, width=320, height=400)
    add(qtbot, session, queries, "query2", "cdf")
    assert session.source is not None
    spec = spec_of(session.draft, session.source, tmp_path / "city")
    assert [query.id for query in spec.queries] == ["mean_speed", "query2", "cdf"]
    again, _ = draft_of(spec)
    assert [query.asked_of(SPEED) for query in again.queries] == [
        query.asked_of(SPEED) for query in session.draft.queries
    ]
