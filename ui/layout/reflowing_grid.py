"""A grid with as many columns as its width has room for, such as a legend's; else rows as of a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class ReflowingGrid(QLayout):
    """Fills row by row; needs no more width than its widest item, and more height the narrower it is.

    Where not even two columns fit, or none are wanted, items stand one after the other, as words do.
    What is hidden leaves no gap. No margins.
    """

    def __init__(self, parent: QWidget, *, across: int, down: int, columns: bool = True) -> None:
        super().__init__(parent)
        self._columns = columns
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        """By width; asked for time and again until something changes, as the sizes of Qt's own layouts."""
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
        if width not in self._heights:
            self._heights[width] = self._placed([item.sizeHint() for item in self._shown()], width)[1]
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

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
        places, height = self._placed(sizes, rect.width())
        corner = rect.topLeft() + QPoint(0, max(0, rect.height() - height) // 2)
        for item, size, place in zip(items, sizes, places, strict=True):
            item.setGeometry(QRect(corner + place, size))

    def _placed(self, sizes: Sequence[QSize], width: int) -> tuple[list[QPoint], int]:
        """Where each item stands, in the middle of its row, and the height of all."""
        places, top = list[QPoint](), 0
        for row in self._rows(sizes, width):
            height = max(sizes[number].height() for number, _ in row)
            places += [QPoint(left, top + (height - sizes[number].height()) // 2) for number, left in row]
            top += height + self.down
        return places, max(top - self.down, 0)

    def _rows(self, sizes: Sequence[QSize], width: int) -> Iterator[list[tuple[int, int]]]:
        """Number and left edge of the items of each row: in columns, or one after the other as they fit."""
        widths = self._column_widths(sizes, width)
        if len(widths) > 1:
            edges = [sum(widths[:column]) + self.across * column for column in range(len(widths))]
            for start in range(0, len(sizes), len(widths)):
                yield list(zip(range(start, len(sizes)), edges, strict=False))
            return
        row, right = list[tuple[int, int]](), 0
        for number, size in enumerate(sizes):
            if row and right + size.width() > width:
                yield row
                row, right = [], 0
            row.append((number, right))
            right += size.width() + self.across
        if row:
            yield row

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _column_widths(self, sizes: Sequence[QSize], width: int) -> list[int]:
        """Of the most columns that fit; a single one may be too wide."""
        for columns in range(len(sizes), 1, -1) if self._columns else ():
            widths = [max(size.width() for size in sizes[column::columns]) for column in range(columns)]
            if sum(widths) + self.across * (columns - 1) <= width:
                return widths
        return [max((size.width() for size in sizes), default=0)]
