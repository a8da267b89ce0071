"""ui.parameters.record_filter_box: conditions are typed, undone, and read the records anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from core.clean.record_filter import RecordFilter
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.release_story import make_home, make_session
from tests.ui.small_city import loaded_session
from tests.ui.user_actions import LEFT, show
from ui.parameters.record_filter_box import RecordFilterBox
from ui.session.session import Session

WAIT_MS = 20_000


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    make_home()
    return make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))


def box_of(qtbot: QtBot, session: Session) -> RecordFilterBox:
    made = RecordFilterBox(session)
    session.draft_changed.connect(made.refresh)
    show(qtbot, made, width=320, height=140)
    made.refresh()
    return made


def test_only_records_that_a_condition_lets_through_count(qtbot: QtBot, session: Session) -> None:
    box = box_of(qtbot, session)
    assert session.loaded is not None
    every = len(session.loaded.records)
    qtbot.mouseClick(box.add, LEFT)
    (row,) = box.rows
    assert box.focusWidget() is row.column, "the keyboard goes on there"
    assert session.draft.filters is None  # a condition without values is none yet
    session.edit("Title", title="Buses")
    assert box.rows == [row], "it stays while other things change"
    row.values.setText("UP")
    row.values.editingFinished.emit()
    assert session.draft.filters == (RecordFilter(name="direction", values=("UP",)),)
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)
    assert session.loaded is not None
    assert 0 < len(session.loaded.records) < every
    row.excluded.setCurrentIndex(1)
    row.excluded.activated.emit(1)
    assert session.draft.filters == (RecordFilter(name="direction", values=("UP",), excluded=True),)
    qtbot.mouseClick(row.remove, LEFT)
    assert session.draft.filters == ()
    qtbot.waitUntil(lambda: not box.findChildren(QComboBox))  # nothing is seen of it
    session.undo_stack.undo()
    assert [one.values.text() for one in box.rows] == ["UP"]
    while session.undo_stack.canUndo():
        session.undo_stack.undo()
    assert box.rows == []
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)
    assert session.loaded is not None
    assert len(session.loaded.records) == every


def test_a_value_that_cannot_be_published_is_refused(qtbot: QtBot, session: Session) -> None:
    box = box_of(qtbot, session)
    qtbot.mouseClick(box.add, LEFT)
    box.rows[0].values.setText("x" * 81)
    with qtbot.waitSignal(box.refused) as refused:
        box.rows[0].values.editingFinished.emit()
    assert refused.args[0].where == "data.filter.direction"
    assert session.draft.filters is None


def test_without_public_names_it_says_why_not(qtbot: QtBot, tmp_path: Path) -> None:
    box = box_of(qtbot, loaded_session(qtbot, tmp_path / "small"))
    assert not box.add.isEnabled()
    assert "public name" in box.add.toolTip()
