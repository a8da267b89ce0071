"""The opened bundles, each with its dates and what came of checking it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from ui.compare.opened_bundles import OpenedBundle
from ui.kit.tips import in_lines

_PATH = Qt.ItemDataRole.UserRole
_PADDING = 4
_LEAST_HEIGHT, _LEAST_SEEN = 56, 5


class BundleList(QListWidget):
    """Emits `remove_wanted` where Delete is pressed."""

    remove_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Bundles to compare"))
        self.setWordWrap(True)
        self.setSpacing(1)
        self.setStyleSheet(f"QListView::item {{ padding: {_PADDING}px; }}")

    def show_bundles(self, opened: Sequence[OpenedBundle]) -> None:
        """In this order; the current one stays."""
        before = self.current
        self.clear()
        for one in opened:
            details = " · ".join(part for part in (one.dates, one.state) if part)
            item = QListWidgetItem(f"{one.sign} {one.name}\n{details}", self)
            item.setData(_PATH, str(one.path))
            item.setToolTip(in_lines(str(one.path)))
        paths = [one.path for one in opened]
        self.setCurrentRow(paths.index(before) if before in paths else len(paths) - 1)
        self._fit()

    def _fit(self) -> None:
        """As tall as its rows where there is room, and some of them are seen where there is none."""
        rows = [self.sizeHintForRow(row) + 2 * self.spacing() for row in range(self.count())]
        around = 2 * self.frameWidth() + self.spacing()
        self.setMinimumHeight(max(sum(rows[:_LEAST_SEEN]), _LEAST_HEIGHT) + around)
        self.setMaximumHeight(max(sum(rows), _LEAST_HEIGHT) + around)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    @property
    def current(self) -> Path | None:
        """The folder of the chosen one."""
        item = self.currentItem()
        return None if item is None else Path(item.data(_PATH))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_wanted.emit()
            event.accept()
        else:
            super().keyPressEvent(event)
