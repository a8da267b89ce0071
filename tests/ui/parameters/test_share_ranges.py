"""ui.parameters.share_ranges: ranges and percentiles are edited, proposed, refused and undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import show
from ui.budget.range_texts import range_text
from ui.parameters.query_list import QueryList
from ui.parameters.share_ranges import ShareRanges
from ui.session.session import Session


@pytest.fixture
def queries(qtbot: QtBot, session: Session) -> QueryList:
    made = QueryList(session)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def editor(qtbot: QtBot, session: Session, queries: QueryList) -> ShareRanges:
    """A mean, and shares that are selected."""
    widget = ShareRanges(session, queries)
    assert widget.isHidden()
    show(qtbot, widget, width=380, height=600)
    (action,) = (one for one in queries.add.menu().actions() if one.data() == "share")
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        action.trigger()
    return widget


def asked(session: Session) -> dict[str, object]:
    return dict(session.draft.queries[-1].parameters)


def choose(editor: ShareRanges, place: int) -> None:
    editor.propose.menu().actions()[place].trigger()


def shown(editor: ShareRanges) -> list[str]:
    return [row.called.text() for row in editor.rows]


def test_without_any_the_proposed_ranges_stand(session: Session, editor: ShareRanges) -> None:
    assert editor.isVisible()
    assert shown(editor)[0] == "below 1 km/h"
    assert shown(editor)[-1] == "45 to 65 km/h"
    assert asked(session) == {}
    assert "2 of these shares" in editor.note.text()


def test_percentiles_are_typed_beside_their_name_below_the_buttons(editor: ShareRanges) -> None:
    name, field = editor.caption.geometry(), editor.percentiles.geometry()
    assert editor.caption.parentWidget() is editor.percentiles.parentWidget()
    assert editor.add.geometry().bottom() < field.top()
    assert 0 <= field.left() - name.right() <= 10
    assert abs(field.center().y() - name.center().y()) <= 2


def test_one_range_is_taken_with_one_press_and_undone(session: Session, editor: ShareRanges) -> None:
    choose(editor, 0)
    assert asked(session) == {"ranges": ((0.0, 10.0),)}
    assert shown(editor) == ["below 10 km/h"]
    assert "least noise" in editor.note.text()
    assert not editor.rows[0].remove.isEnabled()
    session.undo_stack.undo()
    assert asked(session) == {}
    assert len(editor.rows) == 7


def test_ends_are_typed(qtbot: QtBot, session: Session, editor: ShareRanges) -> None:
    choose(editor, 0)
    editor.rows[0].high.selectAll()
    qtbot.keyClicks(editor.rows[0].high, "12.5")
    qtbot.keyClick(editor.rows[0].high, Qt.Key.Key_Return)
    assert asked(session) == {"ranges": ((0.0, 12.5),)}
    assert [end.text() for end in (editor.rows[0].low, editor.rows[0].high)] == ["0", "12.5"]
    (query,) = (one for one in session.draft.asked_of(session.quantity) if one.id == "share")
    assert query.question.params.ranges == ((0.0, 12.5),)


def test_a_range_is_added_and_removed(qtbot: QtBot, session: Session, editor: ShareRanges) -> None:
    choose(editor, 0)
    qtbot.mouseClick(editor.add, Qt.MouseButton.LeftButton)
    assert asked(session) == {"ranges": ((0.0, 10.0), (45.0, 65.0))}
    assert editor.rows[1].low.hasFocus()
    qtbot.waitUntil(lambda: editor.rows[0].geometry().bottom() < editor.rows[1].y() < editor.add.y())
    first, second = editor.rows
    first.low.setFocus()
    for stop in (
        first.high,
        first.remove,
        second.low,
        second.high,
        second.remove,
        editor.add,
        editor.propose,
    ):
        qtbot.keyClick(editor.focusWidget(), Qt.Key.Key_Tab)
        assert editor.focusWidget() is stop
    qtbot.mouseClick(editor.rows[0].remove, Qt.MouseButton.LeftButton)
    assert asked(session) == {"ranges": ((45.0, 65.0),)}


@pytest.mark.parametrize(
    ("low", "high", "what"),
    [(0.0, 80.0, "beyond the bounds"), (20.0, 20.0, "is empty"), (0.0, 65.0, "covers every record")],
)
def test_what_the_core_refuses_changes_nothing(
    session: Session, queries: QueryList, editor: ShareRanges, low: float, high: float, what: str
) -> None:
    choose(editor, 1)
    editor.rows[0].low.setValue(low)
    editor.rows[0].high.setValue(high)
    assert what in editor.refusal.text()
    assert editor.refusal.isVisible()
    # a row never goes by what it was called before: "0 to 80, below 10 km/h"
    assert shown(editor) == [range_text((low, high), session.quantity)]
    assert asked(session)["ranges"] in (((45.0, 65.0),), ((low, 65.0),))
    choose(editor, 0)
    assert not editor.refusal.isVisible()
    session.edit_query("Of a spec", number=1, parameters={"ranges": ((low, high),)})
    assert what in editor.refusal.text()
    assert (editor.refusal.isVisible(), editor.note.isVisible()) == (True, False)
    assert session.refused.first is not None
    queries.choose(0)
    assert session.refused.first is None, "of another statistic nothing is refused"


def test_percentiles_need_ranges_that_tile(qtbot: QtBot, session: Session, editor: ShareRanges) -> None:
    editor.percentiles.setText("15, 50, 85")
    editor.percentiles.editingFinished.emit()
    assert asked(session) == {"percentiles": (15.0, 50.0, 85.0)}
    editor.percentiles.setText("85, 15")
    editor.percentiles.editingFinished.emit()
    assert "does not rise" in editor.refusal.text()
    qtbot.mouseClick(editor.rows[0].remove, Qt.MouseButton.LeftButton)
    assert "tile the bounds" in editor.refusal.text()
    assert asked(session) == {"percentiles": (15.0, 50.0, 85.0)}
    choose(editor, 0)
    assert asked(session) == {"ranges": ((0.0, 10.0),)}
    choose(editor, 3)
    assert asked(session) == {"percentiles": (15.0, 50.0, 85.0)}


def test_the_closed_section_says_what_is_asked(editor: ShareRanges) -> None:
    choose(editor, 0)
    assert editor.summary(0) == ""
    assert editor.summary(1) == "below 10 km/h"
