"""All timeslots as small maps side by side, on one scale; a press takes one to the slot."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QVBoxLayout, QWidget

from core.progress import Progress
from ui.kit.labels import MIDDLE_LINE, label, plain_label
from ui.kit.stage import Stage
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.layout.boxes import in_row
from ui.layout.empty_layout import empty
from ui.layout.reflowing_grid import ReflowingGrid
from ui.map.layer_values import OUTSIDE_CODE, SUPPRESSED_CODE, UNKNOWN_CODE, LayerValues
from ui.map.slot_chart import SlotBar
from ui.map.small_maps import SmallMaps, outside_colour, small_maps
from ui.session.origin_badge import is_made_up, never_published
from ui.session.session import Session
from ui.web_map.confidential_frame import FRAME_WIDTH, draw_confidential_frame
from ui.web_map.map_html import Outlines
from ui.web_map.painting import LegendClass

_LEAST = 132
"""Pixels of a small map's width; below that they scroll."""
_LEAST_SEEN = 110
"""Of the map in it, where all of them are seen together: they may be lower for that."""
_HEAD = 20
_GAP = 8
_HIGH = 0.72
"""Height of a small map for its width."""
_SWATCH = 12
_RING = 3
"""Pixels around the one that has the keyboard; the chosen slot has a thin frame and its own ground."""
_AROUND = FRAME_WIDTH + 4
"""Pixels of the frame of what is confidential, and of air within it."""
_SETTLED_MS = 120
"""After the last change of size."""


class SlotTile(QAbstractButton):
    """One small map below its time."""

    def __init__(self, bar: SlotBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._image = QImage()
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setText(bar.start)
        self.setToolTip(in_lines(bar.words))
        self.setAccessibleName(bar.words)

    def show_image(self, image: QImage) -> None:
        """Paint this map."""
        self._image = image
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, palette = QPainter(self), self.palette()
        inside = self.rect().adjusted(1, 1, -1, -1)
        role = QPalette.ColorRole.Midlight if self.isChecked() else QPalette.ColorRole.Window
        painter.fillRect(inside, palette.color(role))
        head = QRect(inside.left() + 6, inside.top(), inside.width() - 8, _HEAD)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft.value | MIDDLE_LINE, self.text())
        if not self._image.isNull():
            painter.drawImage(inside.adjusted(1, _HEAD, -1, -1), self._image)
        strong = self.isChecked() or self.hasFocus()
        edge = palette.color(QPalette.ColorRole.Highlight if strong else QPalette.ColorRole.Mid)
        painter.setPen(QPen(edge, _RING if self.hasFocus() else 1))
        painter.drawRect(inside.adjusted(1, 1, -1, -1))
        painter.end()


class SmallMultiples(QWidget):
    """A grid of small maps of the chosen layer, painted in a worker."""

    chosen = Signal(int)
    """The slot of a small map that was pressed."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._values: LayerValues | None = None
        self._slots = range(0)
        self._classes: tuple[LegendClass, ...] = ()
        self._others_shown: tuple[tuple[int, str], ...] = ()
        self._cells: tuple[str, ...] = ()
        self._outlines: Outlines = {}
        self.tiles: list[SlotTile] = []
        self._grid = QWidget()
        self.area = QScrollArea(self)
        self.area.setWidget(self._grid)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.installEventFilter(self)
        self.title = plain_label(parent=self)
        self.title.setProperty("look", "heading")
        self.badge = never_published(self, session)
        self.note = label(look="muted", parent=self)
        self.note.hide()
        self._confidential = False
        self._legend = QWidget(self)
        self._legend_row = ReflowingGrid(self._legend, across=14, down=3)
        column = QVBoxLayout(self)
        column.setContentsMargins(_AROUND, _AROUND, _AROUND, _AROUND)
        column.setSpacing(6)
        head = in_row(None, (self.title, 1), self.badge)
        column.addLayout(head)
        column.addWidget(self._legend)
        column.addWidget(self.note)
        column.addWidget(self.area, 1)
        self._drawing = Stage(self, self._take, failed=session.failed)
        self._soon = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._soon.timeout.connect(self._draw)
        theme.changed.connect(self._restyle)
        session.marked.changed.connect(self._redraw)
        session.slot_changed.connect(self.show_slot)

    @property
    def settled(self) -> bool:
        """Every small map is as it was asked for."""
        return not self._drawing.running and not self._soon.isActive()

    def show_layer(
        self,
        title: str,
        values: LayerValues,
        bars: Sequence[SlotBar],
        slots: range,
        classes: tuple[LegendClass, ...],
        cells: tuple[str, ...],
        *,
        outside: str,
        confidential: bool,
        note: str = "",
        outlines: Outlines = MappingProxyType({}),
    ) -> None:
        """Show another layer, or the same of other numbers.

        outside: what a hexagon is of which a slot tells nothing.
        confidential: it follows from the records, and says so as the map does.
        note: what a reader must know of the numbers. outlines: of places that are no hexagons.
        """
        self.title.setText(title)
        self._confidential = confidential and not is_made_up(self._session)
        self.badge.setVisible(confidential)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.update()
        self._values, self._slots, self._cells, self._outlines = values, slots, cells, outlines
        others = self._others(values, len(cells) * len(slots), outside)
        if (classes, others) != (self._classes, self._others_shown):
            self._classes, self._others_shown = classes, others
            self._show_legend()
        if len(bars) != len(self.tiles):
            self._make_tiles(bars)
        for tile, bar in zip(self.tiles, bars, strict=True):
            tile.setText(bar.start)
            tile.setToolTip(in_lines(bar.words))
            tile.setAccessibleName(bar.words)
        self._place()
        self.show_slot(self._session.chosen.slot)
        self._draw()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        if self._confidential:
            with QPainter(self) as painter:
                draw_confidential_frame(painter, self.rect(), dark=self._theme.colours.dark)

    def _make_tiles(self, bars: Sequence[SlotBar]) -> None:
        for tile in self.tiles:
            tile.deleteLater()
        self.tiles = [SlotTile(bar, self._grid) for bar in bars]
        for number, tile in enumerate(self.tiles):
            tile.clicked.connect(lambda _=False, n=number: self._press(n))
            tile.installEventFilter(self)
            tile.show()

    def _press(self, number: int) -> None:
        self.show_slot(self._slots[number])
        self.chosen.emit(self._slots[number])

    def show_slot(self, slot: int) -> None:
        """Let the small map of this slot stand out."""
        for own, tile in zip(self._slots, self.tiles, strict=False):
            tile.setChecked(own == slot)
        self._stop_at(self._slots.index(slot) if slot in self._slots else 0)

    def _stop_at(self, number: int) -> None:
        """The Tab key comes to this small map alone; arrow keys go on from it."""
        for other, tile in enumerate(self.tiles):
            is_stop = other == number
            tile.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_stop else Qt.FocusPolicy.ClickFocus)

    # where they stand

    def _columns(self) -> tuple[int, QSize]:
        """How many columns, and the size of one small map: the largest that lets all be seen, if any does."""
        # with the bar, whether it is needed or not: else its coming and going would never end
        room = self.area.contentsRect().size() - QSize(self.area.verticalScrollBar().sizeHint().width(), 0)
        count = max(len(self.tiles), 1)
        most = max(1, (room.width() + _GAP) // (_LEAST + _GAP))
        sizes = {columns: self._size_in(room, columns, count) for columns in range(1, min(most, count) + 1)}
        columns, size = max(sizes.items(), key=lambda one: _map_width(one[1]))
        if _map_width(size) >= _LEAST_SEEN:
            return columns, size
        width = max((room.width() - _GAP * (most - 1)) // most, _LEAST)
        return most, QSize(width, _height_of(width))

    def _size_in(self, room: QSize, columns: int, count: int) -> QSize:
        """Of each of so many small maps in so many columns that all of them are seen."""
        rows = -(-count // columns)
        width = (room.width() - _GAP * (columns - 1)) // columns
        return QSize(width, min(_height_of(width), (room.height() - _GAP * (rows - 1)) // rows))

    def _place(self) -> None:
        columns, size = self._columns()
        across, down = size.width() + _GAP, size.height() + _GAP
        for number, tile in enumerate(self.tiles):
            row, column = divmod(number, columns)
            tile.setGeometry(QRect(QPoint(column * across, row * down), size))
        rows = -(-len(self.tiles) // columns) if self.tiles else 0
        self._grid.resize(columns * across - _GAP, max(rows * down - _GAP, 0))

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self.area and event.type() is QEvent.Type.Resize:  # a legend may have become higher
            self._place()
            self._redraw()
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched in self.tiles:
            return self._walk(self.tiles.index(watched), event.key())
        return False

    def _walk(self, number: int, key: int) -> bool:
        """Arrow keys go from one small map to the next."""
        columns, _ = self._columns()
        beside = {
            int(Qt.Key.Key_Left): -1,
            int(Qt.Key.Key_Right): 1,
            int(Qt.Key.Key_Up): -columns,
            int(Qt.Key.Key_Down): columns,
        }
        target = number + beside.get(key, 0)
        if key not in beside:
            return False
        if 0 <= target < len(self.tiles):
            self._stop_at(target)
            self.tiles[target].setFocus()
            self.area.ensureWidgetVisible(self.tiles[target])
        return True

    # the pictures

    def _redraw(self) -> None:
        """Soon: several changes are one."""
        if self._values is not None and self.isVisible():
            self._soon.start()

    def _restyle(self) -> None:
        self._show_legend()
        self._redraw()

    def _draw(self) -> None:
        values, slots, cells, outlines = self._values, self._slots, self._cells, self._outlines
        if values is None or not self.tiles:
            return
        self._soon.stop()
        scale, room = self.devicePixelRatioF(), self.tiles[0].size() - QSize(4, _HEAD + 3)
        size = max(round(room.width() * scale), 1), max(round(room.height() * scale), 1)
        colours, classes = self._theme.colours, tuple(one.colour for one in self._classes)
        marked = self._session.marked.by_slot if self._session.chosen.marks_stand_out else {}

        def work(progress: Progress) -> SmallMaps:
            return small_maps(values, slots, classes, cells, size, colours, marked, progress, outlines)

        self._drawing.start(work, what=self.tr("Drawing the small maps…"))

    def _take(self, drawn: SmallMaps) -> None:
        for tile, image in zip(self.tiles, drawn.images, strict=False):
            tile.show_image(image)

    def _show_legend(self) -> None:
        empty(self._legend_row)
        for one in self._classes:
            self._add_entry(QBrush(QColor(one.colour)), one.label)
        colours = self._theme.colours
        looks = {
            SUPPRESSED_CODE: QBrush(QColor(colours.muted), Qt.BrushStyle.BDiagPattern),
            UNKNOWN_CODE: QBrush(QColor(colours.outline)),
            OUTSIDE_CODE: QBrush(QColor(outside_colour(colours))),
        }
        for code, name in self._others_shown:
            self._add_entry(looks[code], name)

    def _others(self, values: LayerValues, most: int, outside: str) -> tuple[tuple[int, str], ...]:
        """What is seen beside the classes, and its name; most: so many hexagons are drawn, in all slots."""
        seen = set(values.codes.tolist())
        names = {SUPPRESSED_CODE: self.tr("suppressed"), UNKNOWN_CODE: self.tr("no information")}
        entries = tuple((code, name) for code, name in names.items() if code in seen)
        return (
            (*entries, (OUTSIDE_CODE, outside))
            if OUTSIDE_CODE in seen or len(values.codes) < most
            else entries
        )

    def _add_entry(self, brush: QBrush, name: str) -> None:
        """A swatch with its name."""
        entry, swatch, square = QWidget(self._legend), plain_label(), QPixmap(_SWATCH, _SWATCH)
        square.fill(QColor(self._theme.colours.surface))
        painter = QPainter(square)
        painter.fillRect(square.rect(), brush)
        painter.setPen(QColor(self._theme.colours.outline))
        painter.drawRect(square.rect().adjusted(0, 0, -1, -1))
        painter.end()
        swatch.setPixmap(square)
        text = plain_label(name)
        in_row(entry, swatch, text, spacing=5)
        self._legend_row.addWidget(entry)


def _height_of(width: int) -> int:
    """Of a small map of this width with its time above."""
    return _HEAD + round(width * _HIGH)


def _map_width(size: QSize) -> float:
    """How wide a map is that fits into a small map of this size."""
    return min(size.width(), (size.height() - _HEAD + 1) / _HIGH)
