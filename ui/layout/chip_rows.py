"""Rows of chips, each with its name: of every row one chip is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from ui.layout.boxes import in_column, in_row
from ui.layout.chips import Chips

_NAME = 90
"""Pixels of the names."""


class ChipRow(NamedTuple):
    """What one row offers."""

    name: str
    offered: Sequence[tuple[object, str]]
    """Keys with their words."""
    chosen: object


class ChipRows(QWidget):
    """Hidden while there are none; emits `pressed(row, key)`."""

    pressed = Signal(int, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._lines: list[QWidget] = []
        self.rows: list[Chips] = []
        self._column = in_column(self, spacing=3)
        self.hide()

    def show_rows(self, rows: Sequence[ChipRow]) -> None:
        """In place of those of before."""
        names = tuple(row.name for row in rows)
        if names != self._names:
            self._names = names
            for line in self._lines:
                self._column.removeWidget(line)
                line.hide()
                line.deleteLater()
            self._lines.clear()
            self.rows = [self._made(name, number) for number, name in enumerate(names)]
        for chips, row in zip(self.rows, rows, strict=True):
            chips.show_chips(row.offered, {row.chosen})
        self.setVisible(bool(names))

    def _made(self, name: str, number: int) -> Chips:
        line = QWidget(self)
        chips, caption = Chips(line, one=True), QLabel(name, line, textFormat=Qt.TextFormat.PlainText)
        caption.setFixedWidth(_NAME)
        chips.setAccessibleName(name)
        chips.pressed.connect(lambda key: self.pressed.emit(number, key))
        in_row(line, caption, (chips, 1), spacing=6)
        self._column.addWidget(line)
        self._lines.append(line)
        line.show()
        return chips
