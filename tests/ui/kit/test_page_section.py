"""ui.kit.page_section: a part of a page that opens, and is read by its head while it is closed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import press, show
from ui.kit.page_section import PageSection


@pytest.fixture
def section(qtbot: QtBot) -> PageSection:
    made = PageSection("Dates and hours", QLabel("the body"))
    show(qtbot, made, width=300, height=200)
    return made


def test_a_press_opens_and_closes(qtbot: QtBot, section: PageSection) -> None:
    assert not section.body.isVisible()
    closed = section.head._sign.pixmap().toImage()
    with qtbot.waitSignals([section.opened, section.toggled]):
        press(qtbot, section.head)
    assert section.body.isVisible()
    assert section.head._sign.pixmap().toImage() != closed
    with qtbot.waitSignal(section.toggled), qtbot.assertNotEmitted(section.opened):
        press(qtbot, section.head)
    assert not section.body.isVisible()
    assert section.head._sign.pixmap().toImage() == closed


def test_arrow_keys_open_and_close(qtbot: QtBot, section: PageSection) -> None:
    for key, shown in ((Qt.Key.Key_Right, True), (Qt.Key.Key_Right, True), (Qt.Key.Key_Left, False)):
        qtbot.keyClick(section.head, key)
        assert section.body.isVisible() is shown
    qtbot.keyClick(section.head, Qt.Key.Key_Space)
    assert section.is_open


def test_what_leads_here_opens_it_once(qtbot: QtBot, section: PageSection) -> None:
    with qtbot.waitSignal(section.opened):
        section.open()
    assert section.body.isVisible()
    with qtbot.assertNotEmitted(section.opened):
        section.open()


def test_a_closed_head_says_what_is_in_it_and_what_is_missing(section: PageSection) -> None:
    head = section.head
    assert head.accessibleName() == head.title.text() == "Dates and hours"
    head.tell("type the dates", warned=True)
    assert (head.summary.text(), head.summary.property("look")) == ("! type the dates", "warning")
    assert head.accessibleDescription() == "! type the dates"
    assert head.toolTip() == "type the dates"
    head.tell("09:00–21:00")
    assert (head.summary.text(), head.summary.property("look")) == ("09:00–21:00", "muted")
