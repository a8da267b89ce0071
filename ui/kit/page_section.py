"""Parts of a page, one below the other, of which each opens: a closed one is read by its head."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from core.system.paths import resources
from ui.kit.elided_label import ElidedLabel
from ui.kit.labels import plain_label, set_look
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column, in_row

_HEAD = 32
_SIGN = 12
"""Pixels."""


class PageSectionHead(QPushButton):
    """Opens and closes: a click, Space; Right opens, Left closes."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setProperty("look", "section")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        self._sign = plain_label(parent=self)
        self.title = plain_label(title, self)
        self.title.setProperty("look", "heading")
        self.summary = ElidedLabel(look="muted", parent=self)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        in_row(self, self._sign, self.title, (self.summary, 1), margins=(2, 0, 2, 0), spacing=8)
        for part in (self._sign, self.title, self.summary):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(self._show_sign)
        self._show_sign()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(0, max(_HEAD, self.fontMetrics().height() + 8))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.sizeHint()

    def tell(self, summary: str, *, warned: bool = False) -> None:
        """What is read while the section is closed; warned: something is to be done there."""
        self.summary.setText(f"! {summary}" if warned else summary)
        set_look(self.summary, "warning" if warned else "muted")
        self.setToolTip(in_lines(summary))
        self.setAccessibleDescription(self.summary.text())

    def _show_sign(self) -> None:
        name = "down" if self.isChecked() else "right"
        self._sign.setPixmap(QIcon(str(resources() / "icons" / f"{name}.svg")).pixmap(_SIGN, _SIGN))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self.setChecked(event.key() == Qt.Key.Key_Right)
            return
        super().keyPressEvent(event)


class PageSection(QWidget):
    """A head, and below it what it opens; emits `opened` where somebody opens it."""

    opened = Signal()
    toggled = Signal()

    def __init__(self, title: str, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = body
        self.head = PageSectionHead(title, self)
        in_column(self, self.head, body, spacing=2)
        body.hide()
        self.head.toggled.connect(body.setVisible)
        self.head.toggled.connect(self.toggled)
        self.head.clicked.connect(lambda shown: self.opened.emit() if shown else None)

    @property
    def is_open(self) -> bool:
        """Its body is shown."""
        return self.head.isChecked()

    def open(self) -> None:
        """Show the body, as if somebody had opened it."""
        if not self.is_open:
            self.head.setChecked(True)
            self.opened.emit()
