"""ui.parameters.typed_zone: the zone is typed, and records that lie in another one are loaded anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.taxi_story import WAIT, ZONE, rest, user_session
from tests.ui.user_actions import press, show, write
from ui.kit.message_bar import MessageBar
from ui.parameters.typed_zone import TypedZone
from ui.session.session import Session
from ui.session.steps import State, steps_of


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return user_session(qtbot, tmp_path)


@pytest.fixture
def field(qtbot: QtBot, session: Session) -> TypedZone:
    bar = MessageBar()
    qtbot.addWidget(bar)
    made = TypedZone(session, bar)
    session.draft_changed.connect(made.refresh)
    show(qtbot, made, width=260, height=120)
    return made


def test_the_records_zone_is_nobody_s_suggestion(session: Session, field: TypedZone) -> None:
    session.edit("Zone", zone="")
    assert field.edit.text() == ""
    hexagons = steps_of(session)[1]
    assert (hexagons.state, hexagons.note) == (State.ATTENTION, "type the time zone")


def test_names_are_offered_while_typing(qtbot: QtBot, field: TypedZone) -> None:
    qtbot.waitUntil(lambda: field.edit.completer() is not None, timeout=WAIT)
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "Sao P")
    assert field.edit.completer().currentCompletion() == "America/Sao_Paulo"


@pytest.mark.parametrize("downs", [0, 1], ids=["only one offered", "highlighted"])
def test_return_takes_the_name_that_is_offered(
    qtbot: QtBot, session: Session, field: TypedZone, downs: int
) -> None:
    """It refused the part of a name that was typed, below a list with the one zone it could mean."""
    qtbot.waitUntil(lambda: field.edit.completer() is not None, timeout=WAIT)
    field.activateWindow()
    field.edit.setFocus()
    qtbot.waitUntil(field.edit.hasFocus)
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "Sao P")
    popup = field.edit.completer().popup()
    for key in (*[Qt.Key.Key_Down] * downs, Qt.Key.Key_Return):
        qtbot.keyClick(popup, key)
    assert field.edit.text() == session.draft.zone == "America/Sao_Paulo"


def test_a_city_of_one_zone_stands_for_it(qtbot: QtBot, session: Session, field: TypedZone) -> None:
    write(qtbot, field.edit, "São Paulo")
    assert field.edit.text() == session.draft.zone == "America/Sao_Paulo"


def test_an_old_name_gives_way_to_the_main_one(qtbot: QtBot, session: Session, field: TypedZone) -> None:
    """Under either a release was another one, and paid twice."""
    write(qtbot, field.edit, "Asia/Calcutta")
    assert field.edit.text() == session.draft.zone == "Asia/Kolkata"


def test_what_is_no_zone_is_refused(qtbot: QtBot, session: Session, field: TypedZone) -> None:
    write(qtbot, field.edit, "Nowhere/Land")
    assert session.draft.zone == ZONE
    assert session.refused.first is not None
    session.edit("Title", title="Taxis")
    assert session.refused.first is None, "the field shows the draft again"


def test_records_of_another_zone_are_loaded_anew(qtbot: QtBot, session: Session, field: TypedZone) -> None:
    write(qtbot, field.edit, "Asia/Bangkok")
    assert "Asia/Kolkata" in field.differs.text()
    assert field.differs.property("look") == "warning"
    assert steps_of(session)[1].note == "records lie in another zone"
    before = session.draft
    with qtbot.waitSignal(session.data_changed, timeout=WAIT):
        press(qtbot, field.again)
    rest(qtbot, session)
    assert session.contributions is not None
    assert session.contributions.zone == "Asia/Bangkok"
    assert session.draft == before
    assert not field.again.isVisible()
    assert steps_of(session)[1].note != "records lie in another zone"
