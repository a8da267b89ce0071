"""Chips beside each other: words to press, of which one or several are chosen."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QPushButton, QWidget

from ui.layout.reflowing_grid import ReflowingGrid

_AROUND = 24
"""Pixels beside the words, of both sides together."""


class Chips(QWidget):
    """Emits `pressed(key)` for one that a person pressed; what is chosen then, its owner shows."""

    pressed = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, one: bool = False) -> None:
        """one: of all of them exactly one is chosen, and arrows lead from one to the next."""
        super().__init__(parent)
        self._one = one
        self._row = ReflowingGrid(self, across=6, down=4, columns=False)
        self._shown: tuple[tuple[object, str], ...] = ()
        self.buttons: dict[object, QPushButton] = {}

    def show_chips(self, offered: Sequence[tuple[object, str]], chosen: Collection[object]) -> None:
        """offered: keys with their words."""
        if tuple(offered) != self._shown:
            self._shown = tuple(offered)
            for button in self.buttons.values():
                button.setAutoExclusive(False)
                self._row.removeWidget(button)
                button.hide()
                button.deleteLater()
            self.buttons = {key: self._made(key, text) for key, text in offered}
        for key, button in self.buttons.items():
            button.setChecked(key in chosen)

    def _made(self, key: object, text: str) -> QPushButton:
        chip = QPushButton(text.replace("&", "&&"), self)
        chip.setAccessibleName(text)
        chip.setCheckable(True)
        chip.setProperty("look", "chip")
        chip.ensurePolished()
        bold = QFont(chip.font())
        bold.setBold(True)  # as the chosen one is
        chip.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(text) + _AROUND)
        chip.clicked.connect(lambda: self.pressed.emit(key))
        chip.setAutoExclusive(self._one)  # in a group of Qt's the Tab key would pass all chips but one
        self._row.addWidget(chip)
        chip.show()
        return chip
