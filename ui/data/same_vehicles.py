"""The question whether other records are of the same vehicles, and which population then pays.

Either mistake costs privacy: a new population for vehicles that have released before forgets what they have
spent, and the old one for other vehicles lets them spend it. So nothing is chosen beforehand.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from ui.kit.buttons import push_button
from ui.kit.cards import card, flowing
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import fit_content

_WIDTH = 520


class SameVehiclesDialog(QDialog):
    """Accepted once it is answered: `same` tells how. Closed otherwise, and nothing is loaded."""

    def __init__(self, population: str, *, typed: bool, parent: QWidget | None = None) -> None:
        """typed: hours were typed, as in relation `user`, or are a table's: nothing is said of them."""
        super().__init__(parent)
        self.same = False
        self.setWindowTitle(self.tr("The same vehicles as before?"))
        self.yes = self._button(self.tr("&Yes, the same vehicles"), same=True)
        self.no = self._button(self.tr("&No, other vehicles"), same=False)
        self.cancel = push_button(self.tr("Cancel"), self, self.reject)
        for button in (self.yes, self.no, self.cancel):
            button.setAutoDefault(False)  # Enter answers nothing by itself
        same = self.tr("“{population}” keeps paying; what it has already spent counts.").format(
            population=population
        )
        other = self.tr(
            "“{population}” pays nothing for these vehicles. You then name the population they belong to."
        ).format(population=population)
        if not typed:
            same += " " + self.tr("The threshold stays, and so do the hours if the new records fill them.")
            other += " " + self.tr("Hours and threshold are fitted to the new records.")
        self.about_yes, self.about_no = (flowing(text, "muted", self) for text in (same, other))
        content = QWidget(self)
        texts = in_column(
            content,
            flowing(self.tr("Are these the same vehicles as before?"), "title", content),
            flowing(
                self.tr(
                    "Every vehicle has one budget for all its releases. In both cases title, name and "
                    "confirmation are cleared, and the dates come from the new records."
                ),
                parent=content,
            ),
            spacing=10,
        )
        for button, about in ((self.yes, self.about_yes), (self.no, self.about_no)):
            button.setAccessibleDescription(about.text())
            texts.addWidget(card(content, "card", button, about))
        texts.addStretch(1)
        row = in_row(None, 1, self.cancel)
        self._area = scrolling(content)
        in_column(self, (self._area, 1), row, margins=(16, 14, 16, 14), spacing=10)
        self.setMinimumWidth(_WIDTH)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """As tall as the texts are at this width, and no taller than the screen."""
        super().showEvent(event)
        fit_content(self, self._area)

    def _button(self, text: str, *, same: bool) -> QPushButton:
        return push_button(text, self, lambda: self._answer(same))

    def _answer(self, same: bool) -> None:
        self.same = same
        self.accept()
