"""ui.parameters.groups_box: columns and kinds of day are groups; labels are typed where they must be."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.hats.groups import DAY_KIND, Group
from core.privacy import Relation
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.release_story import make_home, make_session
from tests.ui.user_actions import LEFT, show
from ui.parameters.groups_box import GroupsBox
from ui.session.session import Session

WAIT_MS = 20_000


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    make_home()
    return make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))


@pytest.fixture
def box(qtbot: QtBot, session: Session) -> GroupsBox:
    made = GroupsBox(session)
    session.draft_changed.connect(made.refresh)
    show(qtbot, made, width=300, height=140)
    made.refresh()
    return made


def _problem(session: Session) -> str:
    return session.planning.problem.where if session.planning.problem else ""


def test_groups_are_chosen_by_chips(qtbot: QtBot, session: Session, box: GroupsBox) -> None:
    assert list(box.chips.buttons) == ["direction", "route", DAY_KIND]
    qtbot.mouseClick(box.chips.buttons[DAY_KIND], LEFT)
    qtbot.mouseClick(box.chips.buttons["direction"], LEFT)
    assert session.draft.groups == (Group("direction"), Group(DAY_KIND))
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)
    assert session.contributions is not None
    assert session.contributions.window.groups[0].labels == ("DN", "UP")
    labels = box.labels["direction"]
    assert labels.isVisible()
    labels.setText("UP")
    labels.editingFinished.emit()
    assert session.draft.groups[0].labels == ("UP",)
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)
    assert session.contributions.window.groups[0].labels == ("UP",)
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert session.draft.groups == (Group(DAY_KIND),)
    assert not labels.isVisible()


def test_in_relation_user_labels_must_be_typed(qtbot: QtBot, session: Session, box: GroupsBox) -> None:
    session.choose_relation("Relation", Relation.USER)
    session.edit("Dates", date_ranges=session.recorded_dates)
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT_MS)
    qtbot.mouseClick(box.chips.buttons["direction"], LEFT)
    assert "type the labels" in box.labels["direction"].placeholderText()
    assert box.labels["direction"].text() == ""
    qtbot.waitUntil(lambda: _problem(session) == "hats.labels", timeout=WAIT_MS)
    box.labels["direction"].setText("UP; DN; nobody drives there")
    box.labels["direction"].editingFinished.emit()
    assert session.draft.groups[0].labels == ("DN", "UP", "nobody drives there")
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)


def test_labels_that_cannot_be_published_are_refused(qtbot: QtBot, session: Session, box: GroupsBox) -> None:
    qtbot.mouseClick(box.chips.buttons["direction"], LEFT)
    box.labels["direction"].setText("x" * 81)
    with qtbot.waitSignal(box.refused) as refused:
        box.labels["direction"].editingFinished.emit()
    assert refused.args[0].where == "hats.labels.direction"
    assert session.draft.groups == (Group("direction"),)
