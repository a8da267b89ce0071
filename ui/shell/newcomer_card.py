"""What a newcomer does, in three lines below the steps, until somebody closes it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QWidget

from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.layout.boxes import in_column, in_row
from ui.session.settings import Settings
from ui.shell.help import TourDialog

_LEAST_HEIGHT = 600
"""Pixels of the column: in a lower one the steps themselves have the room."""


class NewcomerCard(QFrame):
    """Seen from the first start on; once closed it stays closed, and Help has the tour."""

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        """parent: the column that it stands in."""
        super().__init__(parent)
        self._settings = settings
        self.setProperty("look", "card")
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setAutoRaise(True)
        self.close_button.setAccessibleName(self.tr("Close the first steps"))
        self.close_button.clicked.connect(self._close)
        self.tour = push_button(self.tr("Tour…"), self, self._show_tour, look="flat")
        self.lines: tuple[QLabel, ...] = tuple(
            label(text, parent=self)
            for text in (
                self.tr("Open your records"),
                self.tr("Choose who is protected"),
                self.tr("Release"),
            )
        )
        top = Qt.AlignmentFlag.AlignTop
        numbered = (
            in_row(None, (label(f"{number}", parent=self), 0, top), (line, 1), spacing=7)
            for number, line in enumerate(self.lines, 1)
        )
        head = in_row(None, (label(self.tr("First steps"), "heading", self), 1), (self.close_button, 0, top))
        in_column(self, head, *numbered, self.tour, margins=(10, 6, 6, 6), spacing=3)
        parent.installEventFilter(self)
        self._fit(parent)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self._fit(watched)
        return super().eventFilter(watched, event)

    def _fit(self, column: QWidget) -> None:
        self.setVisible(not self._settings.newcomer_card_closed and column.height() >= _LEAST_HEIGHT)

    def _show_tour(self) -> None:
        dialog = TourDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _close(self) -> None:
        self._settings.newcomer_card_closed = True
        self.hide()
