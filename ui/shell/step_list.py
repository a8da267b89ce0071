"""The list of steps at the left: name, sign and a note that says how far each has come."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.kit.labels import MIDDLE_LINE
from ui.kit.model_index import ModelIndex
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.session.steps import GLYPHS, State, Step

_ROW = 46
_LEAST_STEPS = 2
"""That are always seen."""
_STEP = Qt.ItemDataRole.UserRole


class StepList(QListWidget):
    """Emits `chosen(key)`. A blocked step can be opened too: its page says what is missing.

    `entered(key)` where it is clicked, or Enter is pressed: arrows only look at the steps.
    """

    chosen = Signal(str)
    entered = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setItemDelegate(_StepDelegate(theme, self))
        self.setProperty("look", "flat")
        self.setAccessibleName(self.tr("Steps"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # whole rows alone would leave part of one empty at the end
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        # on a low screen some steps are scrolled to, so that the page below has room
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.currentRowChanged.connect(self._choose)
        for signal in (self.itemClicked, self.itemActivated):
            signal.connect(lambda item: self.entered.emit(item.data(_STEP).key))

    def show_steps(self, steps: Sequence[Step]) -> None:
        """Show the newest states; the current row stays."""
        if self.count() != len(steps):
            self.clear()
            for _ in steps:
                item = QListWidgetItem(self)
                item.setSizeHint(QSize(0, _ROW))
            self.setMaximumHeight(self._height_of(len(steps)))
            self.updateGeometry()
        for row, step in enumerate(steps):
            item = self.item(row)
            item.setData(_STEP, step)
            item.setToolTip(in_lines(step.why or step.note))
            item.setText(f"{step.title}: {step.why or step.note}")

    def _height_of(self, steps: int) -> int:
        return steps * _ROW + 2 * self.frameWidth()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(super().sizeHint().width(), self._height_of(self.count()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(super().minimumSizeHint().width(), self._height_of(min(self.count(), _LEAST_STEPS)))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """A list that became low still shows the step that is open."""
        super().resizeEvent(event)
        if event.size().height() < event.oldSize().height():
            self.scrollTo(self.currentIndex())

    def choose(self, key: str) -> None:
        """Make a step the current one."""
        for row in range(self.count()):
            if self.item(row).data(_STEP).key == key:
                self.setCurrentRow(row)

    def _choose(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(self.item(row).data(_STEP).key)


class _StepDelegate(QStyledItemDelegate):
    """Paints sign, title and note."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        step: Step | None = index.data(_STEP)
        if step is None:
            return
        colours = self._theme.colours
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(colours.accent_soft))
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), QColor(colours.accent))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(colours.raised))
        tint = {
            State.DONE: colours.good,
            State.ATTENTION: colours.warning,
            State.OPEN: colours.accent,
            State.FAILED: colours.bad,
            State.BLOCKED: colours.muted,
        }[step.state]
        circle = QRect(box.left() + 8, box.top() + (box.height() - 20) // 2, 20, 20)
        painter.setPen(QColor(tint))
        painter.drawEllipse(circle)
        painter.setFont(_font(option.font, bold=True))
        waits = step.state in (State.OPEN, State.BLOCKED)
        sign = str(index.row() + 1) if waits else GLYPHS[step.state]
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, sign)
        texts = box.adjusted(34, 5, 0, -5)  # two lines of Devanagari, from the sign above to the vowel below
        half = texts.height() // 2
        painter.setPen(QColor(colours.muted if step.state is State.BLOCKED else colours.text))
        painter.drawText(QRect(texts.left(), texts.top(), texts.width(), half), MIDDLE_LINE, step.title)
        painter.setFont(_font(option.font, smaller=True))
        painter.setPen(QColor(colours.muted))
        note = painter.fontMetrics().elidedText(step.note, Qt.TextElideMode.ElideRight, texts.width())
        painter.drawText(QRect(texts.left(), texts.top() + half, texts.width(), half), MIDDLE_LINE, note)
        painter.restore()

    def sizeHint(  # noqa: N802 - Qt's name
        self, _: QStyleOptionViewItem, __: ModelIndex
    ) -> QSize:
        return QSize(0, _ROW)


def _font(base: QFont, *, bold: bool = False, smaller: bool = False) -> QFont:
    font = QFont(base)
    font.setBold(bold)
    if smaller:
        font.setPointSizeF(base.pointSizeF() - 1.5)
    return font
