"""ui.data.check_panel: what a narrow place does to it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.languages import spoken
from tests.ui.user_actions import show
from ui.data.check_panel import CheckPanel, position_text
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of

_NARROW = 300
"""What a dialog of 1366x768 pixels leaves it at 150 %."""


def test_beside_the_tag_no_word_stands_alone_in_its_row(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001
    panel = CheckPanel()
    show(qtbot, panel, width=_NARROW, height=300)
    panel.show_waiting(["decimal", "date_order"])
    panel.badge.show()
    line = panel._line
    qtbot.waitUntil(lambda: line.width() > 0.8 * _NARROW)


def test_times_are_seen_to_the_second(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001
    panel = CheckPanel()
    show(qtbot, panel, width=_NARROW, height=300)
    for cells in panel._cells:
        for cell, text in zip(
            cells, ("2022-01-03T09:19:33+05:30", *2 * ["2022-12-28 08:48:48Z"]), strict=False
        ):
            cell.setText(text)
    panel._examples.show()
    told = panel._cells[0][1]
    qtbot.waitUntil(lambda: told.width() >= told.fontMetrics().horizontalAdvance(told.text()))


def test_where_it_is_wide_the_tag_stands_beside_its_sentence(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001
    panel = CheckPanel()
    show(qtbot, panel, width=450, height=300)
    panel.show_waiting(["decimal", "date_order"])
    tag = panel.badge
    tag.show()
    qtbot.waitUntil(lambda: tag.x() > panel._line.geometry().right())
    assert tag.y() < panel._line.geometry().bottom()
    panel.resize(_NARROW, 300)
    qtbot.waitUntil(lambda: tag.geometry().bottom() < panel._line.y())


def test_it_asks_for_no_more_room_once_rows_are_judged(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001
    panel = CheckPanel()
    show(qtbot, panel, width=450, height=300)
    panel.show_waiting(["decimal"])
    qtbot.wait(50)
    assert panel._examples.isHidden()
    assert panel.minimumSizeHint().width() > panel._examples.minimumSizeHint().width()


@pytest.mark.parametrize(
    ("latitude", "longitude", "told"),
    [
        (21.1, 72.8, "21.1000° N, 72.8000° E"),
        (-33.45694, -70.64827, "33.4569° S, 70.6483° W"),
        (0.0, 0.0, "0.0000° N, 0.0000° E"),
    ],
)
def test_a_position_has_four_decimals_and_its_hemispheres(
    latitude: float, longitude: float, told: str
) -> None:
    assert position_text(latitude, longitude) == told


def test_the_letters_are_those_of_the_map_beside_it(qapp: QApplication) -> None:
    with spoken(qapp, catalogue_of("hi")):
        assert position_text(21.1, 72.8) == "21.1000° उ, 72.8000° पू"
