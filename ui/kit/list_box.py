"""A list to choose from that opens as wide as its longest entry, however narrow its box."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ListBox(QComboBox):
    """Entries are read whole before one is chosen; the box cuts the one that is shown by an ellipsis."""

    cut = Qt.TextElideMode.ElideRight
    """Where; in the middle, if entries differ at their ends."""

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        view = self.view()
        bar = view.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, view)
        around = 2 * view.frameWidth() + (bar if self.count() > self.maxVisibleItems() else 0)
        view.setMinimumWidth(max(self.width(), view.sizeHintForColumn(0) + around))
        super().showPopup()

    @property
    def shown_text(self) -> str:
        """The chosen entry as far as there is room for it."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        return self.fontMetrics().elidedText(self.currentText(), self.cut, field.width())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self.isEditable() or self.currentIndex() < 0 or self.shown_text == self.currentText():
            super().paintEvent(event)  # which would cut a longer one wherever its room ends
            return
        option, painter = QStyleOptionComboBox(), QStylePainter(self)
        self.initStyleOption(option)
        option.currentText = self.shown_text
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
