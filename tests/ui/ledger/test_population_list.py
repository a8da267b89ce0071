"""ui.ledger.population_list: read whole where the list is narrow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QListWidgetItem
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.theme import Theme
from ui.ledger.population_list import PopulationList


@pytest.mark.parametrize("width", [120, 126])
def test_each_row_has_room_for_all_of_its_text(qtbot: QtBot, theme: Theme, width: int) -> None:  # noqa: ARG001
    listed = PopulationList()
    for text in ("Buses of the year\n51.9 of 120 spent", "City buses\n40 of 50 spent"):
        QListWidgetItem(text, listed)
    show(qtbot, listed, width=width, height=300)
    for row in range(listed.count()):
        item = listed.item(row)
        box = listed.visualItemRect(item)
        assert box.right() < listed.viewport().width()
        text = QRect(0, 0, box.width() - 14, 1000)
        needed = listed.fontMetrics().boundingRect(text, Qt.TextFlag.TextWordWrap, item.text())
        assert needed.height() <= box.height() - 8
    assert not listed.horizontalScrollBar().isVisible()


def test_a_list_scrolled_to_its_end_ends_with_its_last_row(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001
    """By whole rows, which are high in a narrow list, the last one stood alone above an empty rest."""
    listed = PopulationList()
    for text in (
        "Buses of the year\n51.9 of 120 spent",
        "Taxis of the year\n0 of 50 spent",
        "Trams\n! 7 of 6 spent",
    ):
        QListWidgetItem(text, listed)
    show(qtbot, listed, width=62, height=170)
    bar = listed.verticalScrollBar()
    qtbot.waitUntil(lambda: listed.visualItemRect(listed.item(0)).right() < listed.viewport().width())
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    below = listed.viewport().height() - listed.visualItemRect(listed.item(2)).bottom()
    assert 0 <= below <= 2 * listed.spacing()
