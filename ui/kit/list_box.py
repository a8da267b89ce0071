"""A list to choose from that opens as wide as its longest entry, however narrow its box."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip

from ui.kit.tips import in_lines


class ListBox(QComboBox):
    """Entries are read whole before one is chosen; the box cuts the one that is shown by an ellipsis.

    One that is cut is shown whole above the box's own tip.
    """

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

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._is_cut():
            whole = in_lines(self.currentText())
            own = self.toolTip()
            QToolTip.showText(event.globalPos(), in_lines(f"{whole}\n{own}" if own else whole), self)
            return True
        return super().event(event)

    def _is_cut(self) -> bool:
        return not self.isEditable() and self.currentIndex() >= 0 and self.shown_text != self.currentText()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if not self._is_cut():
            super().paintEvent(event)  # which would cut a longer one wherever its room ends
            return
        option, painter = QStyleOptionComboBox(), QStylePainter(self)
        self.initStyleOption(option)
        option.currentText = self.shown_text
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
