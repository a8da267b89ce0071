"""ui.parameters.groups_box: columns and kinds of day are groups; labels are typed where they must be."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from core.hats.groups import DAY_KIND, Group
from core.privacy import Relation
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.release_story import make_home, make_session
from tests.ui.user_actions import LEFT, refusal, show
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
    assert labels.placeholderText() == "direction: all labels"
    labels.setText("UP")
    labels.editingFinished.emit()
    assert session.draft.groups[0].labels == ("UP",)
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)
    assert session.contributions.window.groups[0].labels == ("UP",)
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert session.draft.groups == (Group(DAY_KIND),)
    assert not labels.isVisible()
    session.edit("Of a spec", groups=(Group("gone"), Group(DAY_KIND)))
    assert list(box.chips.buttons) == ["direction", "route", "gone", DAY_KIND], (
        "no column has it, the spec does"
    )


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


def test_kinds_of_day_come_from_the_calendar_or_from_a_file(
    qtbot: QtBot, session: Session, box: GroupsBox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not box.kinds.isVisible()
    qtbot.mouseClick(box.chips.buttons[DAY_KIND], LEFT)
    assert box.kinds.isVisible()
    assert [box.kinds.itemText(row) for row in range(box.kinds.count())] == [
        "weekday and weekend",
        "kinds of a file…",
    ]
    days = session.draft.window.dates
    file = tmp_path / "days.csv"
    file.write_text(
        "date,label\n" + "".join(f"{day},{'feast' if day == days[0] else 'usual'}\n" for day in days)
    )

    def choose(entry: str, path: str = "") -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
        row = box.kinds.findText(entry)
        box.kinds.setCurrentIndex(row)
        box.kinds.activated.emit(row)

    choose("kinds of a file…")
    assert box.kinds.currentText() == "weekday and weekend", "nobody chose a file"
    choose("kinds of a file…", str(file))
    qtbot.waitUntil(lambda: session.draft.day_kinds == str(file), timeout=WAIT_MS)
    assert set(dict(session.draft.groups[0].kinds).values()) == {"feast", "usual"}
    assert box.kinds.currentText() == "kinds of days.csv"
    assert box.kinds.count() == 3
    file.write_text("date,kind\n2001-01-01,usual\n")
    with refusal(qtbot, box.refused):
        choose("kinds of a file…", str(file))
    assert box.kinds.currentText() == "kinds of days.csv", "one that says nothing of a date is refused"
    choose("weekday and weekend")
    assert (session.draft.day_kinds, session.draft.groups) == ("", (Group(DAY_KIND),))
    assert box.kinds.count() == 2
    session.undo_stack.undo()
    qtbot.mouseClick(box.chips.buttons[DAY_KIND], LEFT)
    assert (session.draft.day_kinds, session.draft.groups) == ("", ())
    assert not box.kinds.isVisible()
