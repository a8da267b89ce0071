"""ui.kit.list_box: what is chosen from can be read."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, Qt
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from ui.kit.list_box import ListBox
from ui.kit.theme import Theme


@pytest.mark.parametrize("entries", [3, 30])
def test_a_list_opens_as_wide_and_as_high_as_its_entries_need(
    entries: int,
    qtbot: QtBot,
    theme: Theme,  # noqa: ARG001 - the sheet
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = ListBox(window)
    box.setFixedWidth(100)
    box.addItems([f"feature.properties.vehicle.{row}" for row in range(entries)])
    with qtbot.waitExposed(window):
        window.show()
    QApplication.processEvents()
    # a list that is opened once its box is laid out had less room than its rows need
    box.showPopup()
    view = box.view()
    QApplication.processEvents()
    assert view.viewport().width() >= view.sizeHintForColumn(0)
    last = view.visualRect(view.model().index(min(entries, box.maxVisibleItems()) - 1, 0))
    assert last.bottom() < view.viewport().height()
    box.hidePopup()


def test_an_entry_that_has_no_room_ends_in_an_ellipsis(
    qtbot: QtBot,
    theme: Theme,  # noqa: ARG001 - the sheet
) -> None:
    box = ListBox()
    qtbot.addWidget(box)
    box.addItems(["Slow", "Medium"])
    box.setCurrentIndex(1)
    box.resize(box.sizeHint())
    box.show()
    assert box.shown_text == "Medium"  # as wide as it asked for, nothing is cut
    box.clear()
    box.addItems(["short", "typical error after smoothing"])
    box.setFixedWidth(120)
    assert box.shown_text == "short"
    plain = box.grab().toImage()
    box.setCurrentIndex(1)
    assert box.shown_text.endswith("…")
    cut = box.grab().toImage()
    assert cut != plain
    box.setItemText(1, box.shown_text)
    assert box.grab().toImage() == cut  # the ellipsis is painted, not only told


def test_an_entry_that_is_cut_is_told_whole(
    qtbot: QtBot,
    theme: Theme,  # noqa: ARG001 - the sheet
) -> None:
    box = ListBox()
    qtbot.addWidget(box)
    box.addItems(["short", "typical error after smoothing"])
    box.setFixedWidth(120)
    box.show()
    asked = QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), box.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(box, asked)
    assert not QToolTip.isVisible(), "nothing is cut"
    box.setCurrentIndex(1)
    QApplication.sendEvent(box, asked)
    assert QToolTip.text() == "typical error after smoothing"
    box.setToolTip("Which number colours the map.")
    QApplication.sendEvent(box, asked)
    assert QToolTip.text() == "typical error after smoothing\nWhich number colours the map."
    box.setItemText(1, "<img src=zq7.png> in a column of a stranger's file")
    QApplication.sendEvent(box, asked)
    assert "zq7" in QToolTip.text()
    assert not Qt.mightBeRichText(QToolTip.text()), "the file would be opened"
    QToolTip.hideText()
