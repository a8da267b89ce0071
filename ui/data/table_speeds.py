"""The question whether speeds of a contribution table were measured, as it does not say."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


class TableSpeedsQuestion(QMessageBox):
    """`derived` is the answer, once it is finished."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWindowTitle(self.tr("Contribution table"))
        self.setText(self.tr("Were the speeds of {name} measured?").format(name=name))
        self.setInformativeText(
            self.tr(
                "The table does not say. “Values only” makes public in which hexagon slots a vehicle "
                "was, so it cannot release speeds derived from positions."
            )
        )
        accept = QMessageBox.ButtonRole.AcceptRole
        self.measured = self.addButton(self.tr("&Measured"), accept)
        self.from_positions = self.addButton(self.tr("&Derived from positions"), accept)
        cancel = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setEscapeButton(cancel)
        self.setDefaultButton(cancel)  # Enter answers nothing by itself

    @property
    def derived(self) -> bool | None:
        """Whether they were derived; None where it was closed without an answer, and nothing is loaded."""
        answers = {self.measured: False, self.from_positions: True}
        return next((answer for button, answer in answers.items() if button is self.clickedButton()), None)
