"""A grid with as many columns as its width has room for, such as a legend's."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class ReflowingGrid(QLayout):
    """Fills row by row; needs no more width than its widest item, and more height the narrower it is.

    What is hidden leaves no gap. No margins of its own.
    """

    def __init__(self, parent: QWidget, *, across: int, down: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.across = across
        """Pixels between columns."""
        self.down = down
        """Pixels between rows."""
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 - Qt's name
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 - Qt's name
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        sizes = [item.sizeHint() for item in self._shown()]
        heights = _row_heights(sizes, len(self._column_widths(sizes, width)))
        return sum(heights) + self.down * max(0, len(heights) - 1)

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """Of the largest item: how many rows there are is known once the width is."""
        size = QSize(0, 0)
        for item in self._shown():
            size = size.expandedTo(item.sizeHint())
        return size

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self.minimumSize()

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 - Qt's name
        super().setGeometry(rect)
        items = self._shown()
        sizes = [item.sizeHint() for item in items]
        widths = self._column_widths(sizes, rect.width())
        heights = _row_heights(sizes, len(widths))
        for number, (item, size) in enumerate(zip(items, sizes, strict=True)):
            row, column = divmod(number, len(widths))
            left = rect.left() + sum(widths[:column]) + self.across * column
            top = rect.top() + sum(heights[:row]) + self.down * row
            middle = (heights[row] - size.height()) // 2
            item.setGeometry(QRect(QPoint(left, top + middle), size))

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _column_widths(self, sizes: Sequence[QSize], width: int) -> list[int]:
        """Of the most columns that fit; a single one may be too wide."""
        for columns in range(len(sizes), 1, -1):
            widths = [max(size.width() for size in sizes[column::columns]) for column in range(columns)]
            if sum(widths) + self.across * (columns - 1) <= width:
                return widths
        return [max((size.width() for size in sizes), default=0)]


def _row_heights(sizes: Sequence[QSize], columns: int) -> list[int]:
    starts = range(0, len(sizes), columns)
    return [max(size.height() for size in sizes[start : start + columns]) for start in starts]
