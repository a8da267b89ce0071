"""ui.plots.brushed_bars: a bar by a click, several by drawing over them, the same with keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from tests.ui.contrasts import LEAST, contrast, painted
from tests.ui.user_actions import show
from ui.kit.theme import DARK, LIGHT, Colours, qt_palette
from ui.plots.brushed_bars import BrushedBars, CountBar

LEFT = Qt.MouseButton.LeftButton


class Brushed:
    """The widget, and what it told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.bars = BrushedBars()
        self.told: list[tuple[int, int, bool]] = []
        self.bars.brushed.connect(lambda *args: self.told.append(args))
        show(qtbot, self.bars, width=480, height=200)  # 100 pixels a bar
        self.bars.show_bars([CountBar(start=f"{n}", count=n, words=f"bar {n}") for n in range(4)], "4")

    def middle(self, place: int) -> QPoint:
        return QPoint(52 + 100 * place + 50, 100)


@pytest.fixture
def brushed(qtbot: QtBot) -> Brushed:
    return Brushed(qtbot)


def test_a_click_and_a_range(qtbot: QtBot, brushed: Brushed) -> None:
    qtbot.mouseClick(brushed.bars, LEFT, pos=brushed.middle(2))
    qtbot.mouseClick(brushed.bars, LEFT, Qt.KeyboardModifier.ControlModifier, brushed.middle(0))
    qtbot.mousePress(brushed.bars, LEFT, pos=brushed.middle(3))
    qtbot.mouseMove(brushed.bars, brushed.middle(1))
    qtbot.mouseRelease(brushed.bars, LEFT, pos=brushed.middle(1))
    qtbot.mouseClick(brushed.bars, LEFT, pos=QPoint(10, 100))
    assert brushed.told == [(2, 2, False), (0, 0, True), (1, 3, False)]


def test_the_same_with_keys(qtbot: QtBot, brushed: Brushed) -> None:
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(brushed.bars, Qt.Key.Key_Home)
    qtbot.keyClick(brushed.bars, Qt.Key.Key_Right)
    qtbot.keyClick(brushed.bars, Qt.Key.Key_Right, shift)
    heard = QAccessible.queryAccessibleInterface(brushed.bars)
    assert heard.text(QAccessible.Text.Description) == "bar 1; bar 2"
    qtbot.keyClick(brushed.bars, Qt.Key.Key_Return)
    qtbot.keyClick(brushed.bars, Qt.Key.Key_End)
    qtbot.keyClick(brushed.bars, Qt.Key.Key_Right)
    qtbot.keyClick(brushed.bars, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert brushed.told == [(1, 2, False), (3, 3, True)]


def test_who_hears_it_is_told_all_bars_until_one_is_gone_to(qtbot: QtBot, brushed: Brushed) -> None:
    heard = QAccessible.queryAccessibleInterface(brushed.bars)
    assert heard.text(QAccessible.Text.Description) == "bar 1; bar 2; bar 3"  # in bar 0 is nothing
    qtbot.keyClick(brushed.bars, Qt.Key.Key_Home)
    assert heard.text(QAccessible.Text.Description) == "bar 0"


def test_the_last_number_of_the_axis_is_whole(brushed: Brushed) -> None:
    brushed.bars.show_bars([CountBar(start=f"{n}.35", count=n, words="") for n in range(4)], "100,000")
    brushed.bars.clearFocus()
    image = brushed.bars.grab().toImage()
    ground = image.pixel(0, image.height() - 1)
    edge = {image.pixel(image.width() - 1, y) for y in range(image.height() - 24, image.height())}
    assert edge == {ground}


def test_marked_parts_stand_out(brushed: Brushed) -> None:
    before = brushed.bars.grab().toImage()
    brushed.bars.show_marked((0, 0, 1, 3))
    assert brushed.bars.grab().toImage() != before
    brushed.bars.show_bars([], "")
    brushed.bars.grab()


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_marked_is_told_apart_without_its_hue(brushed: Brushed, colours: Colours) -> None:
    bars = brushed.bars
    bars.setAutoFillBackground(True)
    bars.setPalette(qt_palette(colours))
    bars.clearFocus()
    bars.show_marked([0, 0, 1, 3])
    part, whole = painted(bars, 302, 165), painted(bars, 402, 165)
    assert {painted(bars, 102, y).name() for y in (170, 171, 172, 173)} == {painted(bars, 102, 100).name()}
    rest = painted(bars, 302, 100)  # the upper half of a bar of which one of two is marked
    assert part == whole
    assert contrast(part, rest) >= LEAST
    assert max(contrast(painted(bars, x, 100), rest) for x in range(250, 256)) >= LEAST  # where it ends
