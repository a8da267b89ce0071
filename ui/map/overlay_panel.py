"""The panel *Layers*: add files of streets or stops, take them off, above or below the hexagons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.errors import InputError
from core.geodata.layer_files import LAYER_ENDINGS
from core.geodata.map_layer import MOST_LAYERS, MapLayer, from_top, moved
from ui.kit.labels import label
from ui.kit.message_bar import message_of
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.map.overlay_list import OverlayList
from ui.map.overlay_look import OverlayLook
from ui.session.own_layers import OwnLayers, look_into

_WIDTH = 336
_AROUND = 12
_BELOW_BADGE = 48
"""What the page says at the top stays to be seen: where north is, and that a map is confidential."""
_EDGES, _SPACING = (10, 8, 8, 10), 5
_LOW_AROUND, _LOW_EDGES = 6, (10, 4, 8, 4)
"""On a map too low for all of it, where it lies over the arrow; the badge steps aside."""
_ROWS_HEIGHT = 150
"""At most; with few layers the list is lower, so that more of what is set below it is seen."""


class OverlayPanel(QFrame):
    """Lies over the right edge of the map; hidden until it is asked for."""

    closed = Signal()

    def __init__(self, layers: OwnLayers, over: QWidget) -> None:
        super().__init__(over)
        self._layers = layers
        self._over = over
        self._folder = ""
        self._not_added: object = None
        """Why the files of last time are no layers."""
        self.setProperty("look", "card")
        self.setFixedWidth(_WIDTH)
        self.list = OverlayList(layers, self)
        self.add = QPushButton(self.tr("Add…"), self)
        self.remove = QPushButton(self.tr("Remove"), self)
        self.up = QPushButton("↑", self)
        self.down = QPushButton("↓", self)
        self.hint = label(look="muted", parent=self)
        self.problem = label(look="error", parent=self)
        self.look = OverlayLook(self)
        self._looking = Stage(self, self._on_found, failed=self._tell)
        self._lay_out()
        self._connect()
        over.installEventFilter(self)
        self.hide()
        self.refresh()

    def _lay_out(self) -> None:
        self.title = label(self.tr("Layers"), "heading", self)
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setAutoRaise(True)
        self.close_button.setAccessibleName(self.tr("Close the panel of layers"))
        head, buttons = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.close_button)
        for button, name, tip in (
            (self.add, self.tr("Add a layer"), self.tr("GeoJSON, GeoPackage, MBTiles; or drop it here")),
            (self.remove, self.tr("Remove the layer"), self.tr("Off the map; its file stays")),
            (self.up, self.tr("Move the layer up"), self.tr("Past the hexagons it lies over them")),
            (self.down, self.tr("Move the layer down"), self.tr("Past the hexagons it lies under them")),
        ):
            button.setAccessibleName(name)
            button.setToolTip(in_lines(tip))
            buttons.addWidget(button, 0 if button in (self.up, self.down) else 1)
        inner = QWidget(self)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.problem)  # first: below the list a low map would hide it
        column.addWidget(self.list)
        column.addLayout(buttons)
        for widget in (self.hint, self.look):
            column.addWidget(widget)
        column.addStretch(1)
        self._inner, self._scroll = inner, scrolling(inner)
        self._whole = in_column(self, head, self._scroll, margins=None, spacing=_SPACING)

    def _connect(self) -> None:
        self.close_button.clicked.connect(self.closed)
        self.closed.connect(lambda: self._tell(None))
        self.add.clicked.connect(self.ask_files)
        self.remove.clicked.connect(self._remove)
        self.up.clicked.connect(lambda: self._move(up=True))
        self.down.clicked.connect(lambda: self._move(up=False))
        self.list.seen.connect(self._show_or_hide)
        self.list.chosen.connect(self._show_chosen)
        self.look.wanted.connect(self._change)
        self._layers.changed.connect(self.refresh)

    # what is shown

    def refresh(self) -> None:
        """The layers as they stand."""
        self.list.refresh()
        if self.list.number is None and self._layers.layers:
            self.list.choose(0)
        self._show_chosen()

    def _show_chosen(self) -> None:
        number, layers = self.list.number, self._layers.layers
        layer = None if number is None else layers[number]
        for button in (self.remove, self.up, self.down):
            button.setEnabled(layer is not None)
        self.add.setEnabled(len(layers) < MOST_LAYERS)
        self.look.setVisible(layer is not None)
        content = None if layer is None else self._layers.content(layer)
        remarks = content.features.remarks if content and content.features else ()
        texts = [core_text(remark) for remark in remarks]
        if layer is None:
            texts = [self.tr("Streets, districts or stops of your own. They are read here, and never sent.")]
        self.hint.setText("\n".join(texts))
        self.hint.setVisible(bool(texts))
        if layer is not None:
            self.look.show_layer(layer, content)
        self._show_problems()

    def _tell(self, error: object) -> None:
        """Why files are no layers; None once others are added or the panel is closed."""
        self._not_added = error
        self._show_problems()

    def _show_problems(self) -> None:
        """What went wrong, in place, as long as it is wrong; nothing where all is well."""
        found = [error for error in (self._not_added, self._unreadable()) if error is not None]
        texts = [f"{message.what}\n{message.details}" for message in map(message_of, found)]
        before = self.problem.text()
        self.problem.setText("\n".join(texts))
        self.problem.setVisible(bool(texts))
        self._fit()
        if texts and self.problem.text() != before:
            self._scroll.verticalScrollBar().setValue(0)

    def _unreadable(self) -> Exception | None:
        """What is wrong with the chosen layer, else with the first that cannot be read."""
        layers, number = self._layers.layers, self.list.number
        first = () if number is None else (layers[number],)
        errors = map(self._layers.error, (*first, *layers))
        return next((error for error in errors if error is not None), None)

    # what is asked for

    def ask_files(self) -> None:
        """Choose files to add."""
        kinds = " ".join(f"*{ending}" for ending in LAYER_ENDINGS)
        paths, _ = QFileDialog.getOpenFileNames(
            self,
            self.tr("Add layers"),
            self._folder,
            self.tr("Maps ({kinds});;All files (*)").format(kinds=kinds),
        )
        if paths:
            self.add_files([Path(path) for path in paths])

    def add_files(self, paths: list[Path]) -> None:
        """Add every layer of these files, as one undo step; the panel shows what is wrong with one."""
        self._folder = str(paths[0].parent)
        self._tell(None)
        self._looking.start(look_into(paths), what=self.tr("Looking into the file…"))

    def _on_found(self, found: list[MapLayer]) -> None:
        layers = from_top((*self._layers.layers, *found))
        if len(layers) > MOST_LAYERS:
            self._tell(
                InputError(
                    self.tr("A map has at most {n} layers.").format(n=MOST_LAYERS),
                    where=str(found[0].file),
                    mend=self.tr("remove one first"),
                )
            )
            return
        self._layers.edit(self.tr("Add a layer"), layers)
        self.list.choose(layers.index(found[0]))

    def _remove(self) -> None:
        number = self.list.number
        if number is not None:
            layers = self._layers.layers
            self._layers.edit(self.tr("Remove a layer"), layers[:number] + layers[number + 1 :])

    def _move(self, *, up: bool) -> None:
        number = self.list.number
        if number is None:
            return
        before = self._layers.layers[number]
        layers = moved(self._layers.layers, number, up=up)
        self._layers.edit(self.tr("Move a layer"), layers)
        self.list.choose([replace(one, over=before.over) for one in layers].index(before))

    def _show_or_hide(self, number: int, visible: bool) -> None:
        self._put(number, replace(self._layers.layers[number], visible=visible), self.tr("Show a layer"))

    def _change(self, layer: MapLayer, dragging: bool) -> None:
        number = self.list.number
        if number is not None:
            self._put(number, layer, self.tr("Change a layer"), dragging=dragging)

    def _put(self, number: int, layer: MapLayer, text: str, *, dragging: bool = False) -> None:
        """One layer in the place of another; only one layer of places names hexagons."""
        before = self._layers.layers
        others = [replace(one, places=False) if layer.places and one.places else one for one in before]
        others[number] = layer
        self._layers.edit(text, tuple(others), dragging=dragging)

    # its place

    @property
    def covers(self) -> int:
        """Pixels of the map from its right edge on."""
        return _WIDTH + _AROUND

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """The map has another size: the panel keeps within it."""
        if event.type() is QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Escape closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        self.list.setFixedHeight(min(_ROWS_HEIGHT, self.list.rows_height))
        wanted, whole = self._inner.sizeHint().height(), self._over.height()
        top, below, edges = _BELOW_BADGE, _AROUND, _EDGES
        if self._head_height(edges) + wanted > whole - top - below:
            top, below, edges = _LOW_AROUND, _LOW_AROUND, _LOW_EDGES
        self._whole.setContentsMargins(*edges)
        head = self._head_height(edges)
        room = max(whole - top - below - head, 0)
        self.setFixedHeight(head + (wanted if wanted <= room else self._whole_parts(room)))
        self.move(max(0, self._over.width() - _WIDTH - _AROUND), top)
        self.raise_()

    def _head_height(self, edges: tuple[int, int, int, int]) -> int:
        """Of all but what scrolls."""
        row = max(self.title.sizeHint().height(), self.close_button.sizeHint().height())
        return edges[1] + row + _SPACING + edges[3] + 2 * self.frameWidth()

    def _whole_parts(self, room: int) -> int:
        """How much of what scrolls is seen in so little room: no slice of a row."""
        for page in (self._inner, self.look):
            layout = page.layout()
            if layout is not None:
                layout.activate()
        parts = (*_shown_in(self._inner), *_shown_in(self.look))
        rows = [QRect(part.mapTo(self._inner, QPoint()), part.size()) for part in parts if part != self.look]
        ends = [row.bottom() + 1 for row in rows if self.list.geometry().bottom() <= row.bottom() < room]
        whole = [end for end in ends if not any(row.top() < end <= row.bottom() for row in rows)]
        top = self.list.y() + self.list.frameWidth()
        layers = [top + end for end in self.list.row_ends if top + end <= room]
        return max(whole or layers, default=room)


def _shown_in(page: QWidget) -> list[QWidget]:
    found = page.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [one for one in found if not one.isHidden()]
