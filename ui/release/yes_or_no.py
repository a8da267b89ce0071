"""A question that only a person can answer: nothing is chosen until somebody does."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from ui.kit.labels import label
from ui.layout.boxes import in_column, in_row

_BETWEEN = 24
"""Pixels."""


class YesOrNo(QWidget):
    """Hidden while there is nothing to ask."""

    answered = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.question = label()
        self.yes = QRadioButton(self.tr("&Yes"), self)
        self.no = QRadioButton(self.tr("&No"), self)
        self._group = QButtonGroup(self)
        for button in (self.yes, self.no):
            self._group.addButton(button)
            button.toggled.connect(self.answered)
        in_column(self, self.question, in_row(None, self.yes, self.no, 1, spacing=_BETWEEN), spacing=3)

    def ask(self, question: str) -> None:
        """Show the question with no answer; empty: there is none."""
        self.question.setText(question)
        self._group.setExclusive(False)  # of an exclusive group one stays chosen
        for button in (self.yes, self.no):
            button.setChecked(False)
            button.setAccessibleDescription(question)
        self._group.setExclusive(True)
        self.setVisible(bool(question))

    @property
    def agreed(self) -> bool:
        """The answer is yes, or nothing was asked."""
        return self.yes.isChecked() or not self.question.text()
