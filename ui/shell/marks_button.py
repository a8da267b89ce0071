"""How many HATs are marked, beside the status line, and a way to clear the marks."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QToolButton, QWidget

from ui.kit.tips import in_lines
from ui.session.session import Session


class MarksButton(QToolButton):
    """Seen while more is marked than the chosen HAT; pressed, it clears all marks."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setToolTip(
            in_lines(
                self.tr(
                    "Marked in every tab, to be looked at: a release is of the selected hexagon "
                    "slots. Press to clear."
                )
            )
        )
        self.clicked.connect(session.clear_marks)
        for signal in (session.marked.changed, session.hat_chosen, session.slot_changed):
            signal.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        text = self._session.marked.text(self._session.slot)
        self.setText(self.tr("{marked}  ✕").format(marked=text))
        self.setAccessibleName(self.tr("{marked}: clear").format(marked=text))
        self.setVisible(self._session.marks_stand_out)
