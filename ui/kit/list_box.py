"""A list to choose from that opens as wide as its longest entry, however narrow its box."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QStyle


class ListBox(QComboBox):
    """Entries are read whole before one is chosen; the box itself may cut the one that is shown."""

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        view = self.view()
        bar = view.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, view)
        around = 2 * view.frameWidth() + (bar if self.count() > self.maxVisibleItems() else 0)
        view.setMinimumWidth(max(self.width(), view.sizeHintForColumn(0) + around))
        super().showPopup()
