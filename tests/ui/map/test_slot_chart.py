"""ui.map.slot_chart: bars by value, a click or a key chooses, suppressed told apart, everything in words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from tests.ui.contrasts import LEAST, contrast, row_of
from tests.ui.user_actions import hover, show
from ui.kit.theme import DARK, LIGHT, Colours, qt_palette
from ui.map.slot_chart import SlotBar, SlotChart

VALUES = (10.0, None, -20.0, 40.0)


def bar(place: int, value: float | None, suppressed: int = 0) -> SlotBar:
    published = 0 if value is None else 3
    words = f"slot {place}"
    return SlotBar(
        start=f"{place + 9:02d}:00", value=value, published=published, suppressed=suppressed, words=words
    )


@pytest.fixture
def chart(qtbot: QtBot) -> SlotChart:
    made = SlotChart()
    show(qtbot, made, width=440, height=88)
    made.show_bars([bar(place, value) for place, value in enumerate(VALUES)])
    made.show_current(0)
    return made


def test_heights_are_in_proportion_and_go_down_from_zero(chart: SlotChart) -> None:
    first, nothing, below, high = (chart.bar_box(place) for place in range(4))
    assert nothing is None
    assert first is not None
    assert below is not None
    assert high is not None
    assert high.height() == pytest.approx(4 * first.height())
    assert below.height() == pytest.approx(2 * first.height())
    assert high.bottom() == pytest.approx(first.bottom()) == pytest.approx(below.top())
    assert chart.scale_ends == (-20.0, 40.0)


def test_the_scale_begins_at_zero_and_ends_at_a_round_number(chart: SlotChart) -> None:
    chart.show_bars([bar(0, 23.0)])
    low, high = chart.scale_ends
    assert low == 0.0
    assert 23.0 <= high <= 25.0


def test_a_click_and_keys_choose_a_slot(qtbot: QtBot, chart: SlotChart) -> None:
    chosen: list[int] = []
    chart.chosen.connect(chosen.append)
    chart.chosen.connect(chart.show_current)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(40 + 250, 40))
    assert chosen == [2]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_End):
        qtbot.keyClick(chart, key)
    assert chosen == [2, 3, 0, 3]
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(5, 40))
    assert chosen == [2, 3, 0, 3]


def test_the_chosen_slot_is_told_to_readers(chart: SlotChart) -> None:
    heard = QAccessible.queryAccessibleInterface(chart)
    assert heard.text(QAccessible.Text.Description) == "slot 0"
    chart.show_current(3)
    assert heard.text(QAccessible.Text.Description) == "slot 3"
    chart.show_bars([])
    assert heard.text(QAccessible.Text.Description) == ""


def test_suppressed_hats_and_marks_are_seen(chart: SlotChart) -> None:
    plain = chart.grab().toImage()
    chart.show_bars([bar(place, value, suppressed=2) for place, value in enumerate(VALUES)])
    hatched = chart.grab().toImage()
    assert hatched != plain
    chart.show_marked(frozenset({1}))
    assert chart.grab().toImage() != hatched


def test_a_dot_is_explained_in_the_tip_and_told_to_readers(qtbot: QtBot, chart: SlotChart) -> None:
    """Nothing in the window said what the dots are, nor that there are any."""
    heard = QAccessible.queryAccessibleInterface(chart)
    chart.show_marked(frozenset({0, 2}))
    assert heard.text(QAccessible.Text.Description) == "slot 0\nDot: marked hexagons lie in this slot."
    for x, told in ((40 + 250, "slot 2\nDot: marked hexagons lie in this slot."), (40 + 150, "slot 1")):
        hover(chart, QPoint(x, 40))
        qtbot.waitUntil(lambda told=told: QToolTip.text() == told)
    chart.show_marked(frozenset())
    assert heard.text(QAccessible.Text.Description) == "slot 0"


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("place", [0, 1])
def test_the_chosen_slot_is_told_apart_without_its_hue(
    chart: SlotChart, colours: Colours, place: int
) -> None:
    chart.setAutoFillBackground(True)
    chart.setPalette(qt_palette(colours))
    chart.clearFocus()
    chart.show_current(-1)
    before = row_of(chart, 4)  # above the bars
    chart.show_current(place)
    edges = [
        x
        for x, (was, now) in enumerate(zip(before, row_of(chart, 4), strict=True))
        if contrast(was, now) >= LEAST
    ]
    assert 2 <= len(edges) <= 4
    assert edges[0] <= chart._column(place).left() < chart._column(place).right() <= edges[-1] + 1
