"""One slot of several signals."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from ui.kit.signals import on_any


def test_each_of_the_signals_calls_the_slot(qtbot):
    line, heard = QLineEdit(), []
    qtbot.addWidget(line)
    on_any(lambda: heard.append(1), line.returnPressed, line.selectionChanged)
    line.returnPressed.emit()
    line.selectionChanged.emit()
    assert heard == [1, 1]
