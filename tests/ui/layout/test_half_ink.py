"""ui.layout.half_ink: figures of before are faint as soon as they are, and no longer than they are."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.layout.half_ink import HalfInk, draw_faintly


def test_it_follows_what_is_of_before_and_comes_back_immediately(qtbot: QtBot) -> None:
    before, told = [False], []
    ink = HalfInk(lambda: before[0])
    ink.changed.connect(told.append)
    ink.follow()
    assert told == []
    before[0] = True
    ink.follow()
    assert told == [], "what is there again within a moment does not flicker"
    before[0] = False
    ink.follow()
    qtbot.wait(120)
    assert told == []
    before[0] = True
    ink.follow()
    qtbot.waitUntil(lambda: told == [True], timeout=200)
    before[0] = False
    ink.follow()
    assert told == [True, False]
    assert not ink.on


def test_what_is_drawn_faintly_is_half_as_dark(qtbot: QtBot) -> None:
    around = QWidget()
    around.setStyleSheet("background: white;")
    ink = QLabel(around)
    ink.setStyleSheet("background: black;")
    ink.setGeometry(10, 10, 40, 40)
    show(qtbot, around, width=60, height=60)

    def darkness() -> float:
        return 1 - around.grab().toImage().pixelColor(30, 30).lightnessF()

    for faint, dark in ((False, 1.0), (True, 0.5), (False, 1.0)):
        draw_faintly(ink, faint)
        assert abs(darkness() - dark) < 0.02
