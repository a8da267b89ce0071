"""A small *i* behind which a longer word stands: a source, a reason."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QToolButton, QToolTip, QWidget

from ui.kit.tips import in_lines

_SIZE = 20


class InfoSign(QToolButton):
    """Its text is shown while the mouse is over it, and by a click or a key; hidden without one."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """name: what stands behind it, for those who hear the window."""
        super().__init__(parent)
        self.setText("i")
        self.setProperty("look", "info")
        self.setFixedSize(_SIZE, _SIZE)
        self.setAccessibleName(name)
        self.clicked.connect(self._show)
        self.hide()

    @property
    def explanation(self) -> str:
        """What stands behind it."""
        return self.accessibleDescription()

    def tell(self, text: str) -> None:
        """Put another text behind it."""
        self.setToolTip(in_lines(text))
        self.setAccessibleDescription(text)
        self.setVisible(bool(text))

    def _show(self) -> None:
        QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), in_lines(self.explanation), self)
