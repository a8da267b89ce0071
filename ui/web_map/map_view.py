"""The offline map: hexagons that are coloured anew without a reload, clicked and hovered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import shiboken6
from PySide6.QtCore import (
    Property,
    QCoreApplication,
    QEvent,
    QObject,
    QSize,
    Qt,
    QTimer,
    QUrl,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtQuickWidgets import QQuickWidget
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from core.errors import HexveilError
from ui.kit.stage import Stage
from ui.language.translation import counted, percent
from ui.web_map.app_scheme import ASSET_ORIGIN, AssetHandler, RequestGuard
from ui.web_map.confidential_frame import FRAME_COLOURS, FRAME_WIDTH
from ui.web_map.map_html import build_map
from ui.web_map.map_notice import MapNotice
from ui.web_map.painting import MOST_CLASSES, SUPPRESSED_FILL, UNKNOWN_FILL, Fill, MapPainting
from ui.web_map.web_engine import engine
from ui.web_map.web_page import OfflinePage, OfflineProfile

# As in resources/map/map.css, for the moments before the page is there.
_PAGE_COLOURS = {False: "#f5f4f0", True: "#15191e"}
_QUIET_COLOURS = {False: "#666c74", True: "#9aa3ad"}
_PATIENCE_S = 45
"""A page takes one or two seconds, on a busy computer ten: then the person is warned, and it may come."""


class MapView(QWidget):
    """A map of H3 cells. It knows cells, classes, colours and words; no values.

    What is asked for before the page is there (painting, choice, outline, theme) is stored and applied when
    it is.
    Call `dispose` before the application ends.
    """

    clicked = Signal(str)
    """The person clicked this cell."""
    toggled = Signal(str)
    """The person clicked this cell with Ctrl down."""
    brushed = Signal(object)
    """The person drew a rectangle around these cells: a tuple of ids."""
    class_pressed = Signal(object, bool)
    """A class of the legend: its fill, and whether Ctrl was down."""
    painted = Signal()
    """The latest painting is on the screen; never of a page that nobody sees."""
    ready = Signal()
    """The cells last asked for are drawn."""
    failed = Signal(object)
    """The map could not be drawn: an exception."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells: tuple[str, ...] = ()
        self._usual: tuple[float, float, float, float] | None = None
        self._painting: MapPainting | None = None
        self._selected: str | None = None
        self._marked: frozenset[str] = frozenset()
        self._paintings = 0
        self._outline: tuple[tuple[tuple[float, float], ...], ...] = ()
        self._around: Sequence[Sequence[tuple[float, float]]] = ()
        self._overlays: Sequence[Mapping[str, Any]] = ()
        self._covered = (0, 0, 0)
        self._dark = False
        self._has_keyboard = False
        self._ready = False
        self._disposed = False
        self._revived = False
        self._pages = 0
        self._builder = Stage(self, self._load, failed=self._fail)
        self._builder.progressed.connect(self._tell_progress)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._tell_absence)
        self._assets = AssetHandler(self)
        self._web: QWebEngineView | None = None
        self._lay_out()
        if not engine.given_up:
            self._make_web_view()
        self.set_theme(False)

    @property
    def guard(self) -> RequestGuard:
        """What the page asked for and did not get; empty in normal use."""
        return self._profile.guard

    @property
    def complaints(self) -> list[str]:
        """Script errors of the page; empty in normal use."""
        return self._page.complaints

    @property
    def is_ready(self) -> bool:
        """The cells last asked for are drawn."""
        return self._ready

    def show_cells(
        self, cells: Sequence[str], usual: tuple[float, float, float, float] | None = None
    ) -> None:
        """Draw these cells, in the background; emits `ready`. A newer call wins over a pending one.

        usual: south, west, north and east of what is seen first; all cells without it.
        """
        wanted = tuple(dict.fromkeys(cells))
        if wanted == self._cells and self._ready:
            self.ready.emit()
            return
        self._cells, self._usual = wanted, usual
        self._revived = False
        self._build()

    def paint(self, painting: MapPainting) -> None:
        """Colour the cells anew, without a reload. Before the page is ready the latest one is stored."""
        self._painting = painting
        if self._web is not None:
            self._bridge.painting, self._bridge.outside = painting, self.tr("no data")
        if self._ready:
            self._paintings += 1
            self._run(f"hexveil.paint({painting.script(self._cells)}, {self._paintings})")
        self.update()
        self._describe()
        if painting.lines != self._around:
            self._around = painting.lines
            self._draw_lines()

    def select(self, cell: str | None) -> None:
        """Outline this cell, or none."""
        self._selected = cell
        self._run(f"hexveil.select({json.dumps(cell)})")
        self._describe()

    def mark(self, cells: frozenset[str]) -> None:
        """Let these cells stand out from the others; none: all are alike."""
        if cells != self._marked:
            self._marked = cells
            self._show_marks()

    def mark_in_view(self) -> None:
        """Ask for the cells that are seen, as if a rectangle were drawn around them."""
        self._run("hexveil.markView()")

    def _show_marks(self) -> None:
        places = [place for place, cell in enumerate(self._cells) if cell in self._marked]
        self._run(f"hexveil.mark({json.dumps(places)})")

    def _describe(self) -> None:
        """Tell those who hear the map what it shows: hexagons of each class, and the chosen one."""
        painting = self._painting
        if painting is None:
            return
        unit = f" ({painting.unit})" if painting.unit else ""
        labels: dict[Fill, str] = {number: one.label for number, one in enumerate(painting.classes)}
        labels |= {SUPPRESSED_FILL: self.tr("suppressed"), UNKNOWN_FILL: self.tr("no information")}
        parts = [
            f"{label}: {count}" for fill, label in labels.items() if (count := painting.counts.get(fill, 0))
        ]
        texts = [f"{painting.title}{unit}."]
        if parts:
            texts.append(self.tr("Hexagons by class: {counts}.").format(counts="; ".join(parts)))
        if self._selected:
            words = ", ".join(painting.words_of(self._selected, self.tr("no data")))
            texts.append(self.tr("Chosen: {words}.").format(words=words))
        texts.append(self.tr("The table holds the same hexagons, one a row."))
        self.setAccessibleDescription(" ".join(texts))
        self._run(f"hexveil.describe({json.dumps(' '.join(texts))})")

    def outline(self, lines: Sequence[Sequence[tuple[float, float]]]) -> None:
        """Draw these closed lines, (latitude, longitude) in degrees, above the cells, or none."""
        self._outline = tuple(map(tuple, lines))
        self._draw_lines()

    def _draw_lines(self) -> None:
        """The boundary, and what the painting draws around cells."""
        self._run(f"hexveil.boundary({json.dumps(self._outline)}, {json.dumps(self._around)})")

    def show_overlays(self, overlays: Sequence[Mapping[str, Any]]) -> None:
        """Maps of the analyst's own, from top to bottom, as resources/map/overlays.js takes them."""
        self._overlays = overlays
        self._run(f"hexveil.overlays({json.dumps(list(overlays))})")

    def locate(self, latitude: float, longitude: float, cell: str) -> None:
        """Show this place large with a ring around it, and the hexagon that it lies in, if that is drawn."""
        self._run(f"hexveil.locate({latitude:.7f}, {longitude:.7f}, {json.dumps(cell)})")

    def unlocate(self) -> None:
        """Take the ring away."""
        self._run("hexveil.unlocate()")

    def cover(self, width: int) -> None:
        """Something lies over so many pixels at the right edge: what must be seen moves out from under it."""
        self._cover(width, *self._covered[1:])

    def cover_left(self, width: int, height: int) -> None:
        """The same at the left edge, from the top so many pixels down."""
        self._cover(self._covered[0], width, height)

    def _cover(self, right: int, left: int, bottom: int) -> None:
        self._covered = (right, left, bottom)
        self._run(f"hexveil.cover({right}, {left}, {bottom})")

    @property
    def assets(self) -> AssetHandler:
        """What answers the page."""
        return self._assets

    def set_theme(self, dark: bool) -> None:
        """Light or dark, without a reload."""
        self._dark = dark
        if self._disposed:
            return  # the theme outlives the window
        if self._web is not None:
            self._page.setBackgroundColor(QColor(_PAGE_COLOURS[dark]))
        colours = self._notice.palette()
        colours.setColor(QPalette.ColorRole.Window, QColor(_PAGE_COLOURS[dark]))
        colours.setColor(QPalette.ColorRole.WindowText, QColor(_QUIET_COLOURS[dark]))
        self._notice.setPalette(colours)
        self.update()
        self._run(f"hexveil.theme({json.dumps(self._theme_name())})")

    def fit(self) -> None:
        """Show all cells."""
        self._run("hexveil.fit()")

    def zoom_to(self, cell: str) -> None:
        """Show this cell large."""
        self._run(f"hexveil.zoom({json.dumps(cell)})")

    def dispose(self) -> None:
        """Take the web engine down in the order it needs: page, profile, view. Last call of all."""
        self._builder.drop()
        self._patience.stop()
        self._ready = False
        engine.ended()
        if self._disposed:
            return
        self._disposed = True
        self.assets.stop()
        if self._web is None:
            return
        self._web.stop()
        self._web.hide()
        self._web.setPage(None)  # type: ignore[arg-type]
        for part in (self._page, self._profile, self._web):
            if shiboken6.isValid(part):
                shiboken6.delete(part)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """In a new language the page is drawn anew: its words are part of it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._name_for_readers()
            if self._cells and not self._disposed:
                self._build()

    def _make_web_view(self) -> None:
        engine.starting()
        self._profile = OfflineProfile(QCoreApplication.instance(), self._assets)
        self._web = QWebEngineView(self)
        self._page = OfflinePage(self._profile, self._web)
        self._web.setPage(self._page)
        self._web.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        # A file dropped on the map is meant for the window, not for a browser.
        self._web.setAcceptDrops(False)
        self._bridge = _Bridge(self._page)
        self._bridge.ready.connect(self._page_ready)
        self._bridge.clicked.connect(self._cell_clicked)
        self._bridge.toggled.connect(self._cell_toggled)
        self._bridge.marked.connect(self._cells_marked)
        self._bridge.class_marked.connect(self._class_marked)
        self._bridge.painted.connect(self._on_painted)
        channel = QWebChannel(self._page)
        channel.setBlockUpdates(True)  # the page asks; nothing is sent to it unasked
        channel.registerObject("bridge", self._bridge)
        self._page.setWebChannel(channel)
        self._page.renderProcessTerminated.connect(self._revive)
        # Both lie on each other: a page that is hidden while it loads would be laid out without a size.
        self._stack.addWidget(self._web)
        self._notice.raise_()
        engine.ended()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No wish: the page would ask for the size that it had before."""
        return self.minimumSizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Frames are drawn here: one of the page's would lie over the map as a sheet while it is resized."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(_PAGE_COLOURS[self._dark]))
        inside = self.rect()
        for wanted, colour in (
            (self._has_keyboard, self.palette().color(QPalette.ColorRole.Highlight)),
            (self.framed, QColor(FRAME_COLOURS[self._dark])),
        ):
            if wanted:
                painter.fillRect(inside, colour)
                inside = inside.adjusted(FRAME_WIDTH, FRAME_WIDTH, -FRAME_WIDTH, -FRAME_WIDTH)
                painter.fillRect(inside, QColor(_PAGE_COLOURS[self._dark]))
            else:
                inside = inside.adjusted(FRAME_WIDTH, FRAME_WIDTH, -FRAME_WIDTH, -FRAME_WIDTH)
        painter.end()

    def take_keyboard(self) -> None:
        """Give it to the page. As a proxy the page would have the Tab key leave out all stops before it."""
        if self._web is not None:
            self._web.setFocus()

    @property
    def framed(self) -> bool:
        """What is painted follows from the records, or is made up; a frame says so."""
        return self._painting is not None and (self._painting.confidential or self._painting.made_up)

    def _follow_keyboard(self, _: QWidget | None, now: QWidget | None) -> None:
        has = now is not None and (now is self or self.isAncestorOf(now))
        if has is not self._has_keyboard:
            self._has_keyboard = has
            self.update()

    def _lay_out(self) -> None:
        self.setContentsMargins(2 * FRAME_WIDTH, 2 * FRAME_WIDTH, 2 * FRAME_WIDTH, 2 * FRAME_WIDTH)
        self._notice = MapNotice(self)
        self._notice.again.connect(self._try_again)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_keyboard)
        self._stack = QStackedLayout(self)
        self._stack.setStackingMode(QStackedLayout.StackingMode.StackAll)
        self._stack.addWidget(self._notice)
        self._name_for_readers()
        self._say(self.tr("No hexagons to show yet."))

    def _name_for_readers(self) -> None:
        self.setAccessibleName(self.tr("Map of hexagons"))
        self.setAccessibleDescription(self.tr("The table holds the same hexagons, one a row."))

    def _theme_name(self) -> str:
        return "dark" if self._dark else "light"

    def _texts(self) -> dict[str, str]:
        return {
            "label": self.tr("Map of hexagons; arrow keys move it, plus and minus zoom"),
            "zoomIn": self.tr("Zoom in"),
            "zoomOut": self.tr("Zoom out"),
            "fit": self.tr("Show all hexagons"),
            "legend": self.tr("Legend"),
            "confidential": self.tr("Confidential"),
            "made_up": self.tr("Made-up values"),
            "suppressed": self.tr("suppressed"),
            "unknown": self.tr("no information"),
            "markClass": self.tr("Mark these hexagons; with Ctrl, beside those that are marked"),
            "outside": self.tr("no data"),
            "region": self.tr("edge of a region"),
            "boundary": self.tr("chosen boundary"),
            "northUp": self.tr("North is up"),
            "north": self.tr("N", "letter for north"),
            "east": self.tr("E", "letter for east"),
            "south": self.tr("S", "letter for south"),
            "west": self.tr("W", "letter for west"),
        }

    @Slot(float, str)
    def _tell_progress(self, done: float, _: str) -> None:
        self._notice.say(
            counted(
                "Drawing {n} hexagon, {share}",
                "Drawing {n} hexagons, {share}",
                len(self._cells),
                share=percent(done),
            )
        )

    def _build(self) -> None:
        # the map before stays to be seen, dimmed, until the new one is drawn
        self._notice.hold(self._picture() if self._ready and self._cells else None)
        self._ready = False
        self._pages += 1
        if not self._cells:
            self._builder.drop()
            self._say(self.tr("No hexagons to show yet."))
            self.ready.emit()
            return
        self._say(counted("Drawing {n} hexagon", "Drawing {n} hexagons", len(self._cells)))
        cells, usual, texts = self._cells, self._usual, self._texts()
        page, dark = self._page_name(), self._dark
        self._builder.start(
            lambda progress: build_map(cells, texts, page=page, dark=dark, usual=usual, progress=progress)
        )

    def _picture(self) -> QPixmap | None:
        """Of the page, as its engine has drawn it.

        `grab` would first lay out all of the window, pages that nobody sees too: it may not take so long.
        """
        drawn = self._web.focusProxy() if self._web is not None else None
        return QPixmap.fromImage(drawn.grabFramebuffer()) if isinstance(drawn, QQuickWidget) else None

    def _page_name(self) -> str:
        return f"map-{self._pages}.html"

    @Slot(object)
    def _load(self, html: str) -> None:
        if engine.given_up:
            self._tell_absence()
            return
        if self._web is None:
            self._make_web_view()
            self.set_theme(self._dark)
        assert self._web is not None
        engine.starting()
        self._patience.start(_PATIENCE_S * 1000)
        self.assets.put_page(self._page_name(), html)
        self._web.load(QUrl(ASSET_ORIGIN + self._page_name()))

    @Slot(str)
    def _page_ready(self, name: str) -> None:
        if name != self._page_name():
            return
        self._ready = True
        self._patience.stop()
        engine.drawn()
        self.set_theme(self._dark)
        if self._painting is not None:
            self.paint(self._painting)
        self.select(self._selected)  # which describes it all
        self._show_marks()
        self.outline(self._outline)
        self.show_overlays(self._overlays)
        self._cover(*self._covered)
        self._notice.let_go()
        self.ready.emit()

    @Slot(str)
    def _cell_clicked(self, cell: str) -> None:
        if self._ready and cell in self._cells:
            self.clicked.emit(cell)

    @Slot(str)
    def _cell_toggled(self, cell: str) -> None:
        if self._ready and cell in self._cells:
            self.toggled.emit(cell)

    @Slot(str)
    def _cells_marked(self, ids: str) -> None:
        known = frozenset(self._cells) if self._ready else frozenset()
        self.brushed.emit(tuple(cell for cell in ids.split() if cell in known))

    @Slot(str, bool)
    def _class_marked(self, name: str, add: bool) -> None:
        fills: dict[str, Fill] = {SUPPRESSED_FILL: SUPPRESSED_FILL, UNKNOWN_FILL: UNKNOWN_FILL}
        fills |= {f"{number}": number for number in range(MOST_CLASSES)}
        if self._ready and name in fills:
            self.class_pressed.emit(fills[name], add)

    @Slot(int)
    def _on_painted(self, number: int) -> None:
        if number == self._paintings:
            self.painted.emit()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._say(self.tr("The map could not be drawn."))
        self.failed.emit(error)

    @Slot()
    def _revive(self) -> None:
        """The engine's process ended: draw once more, then give up."""
        self._ready = False
        if engine.given_up:
            return
        if self._revived:
            engine.failed()
            self._tell_absence()
            self.failed.emit(
                HexveilError(self.tr("The map's process ended."), mend=self.tr("restart Hexveil"))
            )
            return
        self._revived = True
        self._build()

    @Slot()
    def _tell_absence(self) -> None:
        """In the map's place: that there is none, what there is instead, and what may help."""
        self._patience.stop()
        self._say("")
        self._notice.offer(
            self.tr(
                "There is no map: this computer's web engine does not draw it.\n\n"
                "Everything else works: the table holds the same hexagons, one a row, and what is released "
                "does not depend on the map.\n\n"
                "To mend it: update the graphics driver, allow QtWebEngineProcess in the virus scanner, "
                "then try again."
            ),
            self.tr("Try the map again"),
        )
        self.setAccessibleDescription(self._notice.text())

    @Slot()
    def _try_again(self) -> None:
        engine.try_again()
        self._revived = False
        self._build()

    def _say(self, text: str) -> None:
        self._notice.say(text)
        self._notice.show()
        self._notice.raise_()

    def _run(self, script: str) -> None:
        if self._ready:
            self._page.runJavaScript(script)


class _Bridge(QObject):
    """What the page can tell and ask."""

    ready = Signal(str)
    clicked = Signal(str)
    toggled = Signal(str)
    marked = Signal(str)
    class_marked = Signal(str, bool)
    painted = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.painting: MapPainting | None = None
        self.outside = ""
        self._frame = 0

    def _last_frame(self) -> int:
        return self._frame

    def _note_frame(self, number: int) -> None:
        self._frame = number
        self.painted.emit(number)

    # A property, since a page that is replaced meanwhile could not take the answer to a call.
    frame = Property(int, _last_frame, _note_frame, notify=painted)

    @Slot(str)
    def pageReady(self, name: str) -> None:  # noqa: N802
        self.ready.emit(name)

    @Slot(str)
    def cellClicked(self, cell: str) -> None:  # noqa: N802
        self.clicked.emit(cell)

    @Slot(str)
    def cellToggled(self, cell: str) -> None:  # noqa: N802
        self.toggled.emit(cell)

    @Slot(str)
    def cellsMarked(self, cells: str) -> None:  # noqa: N802
        self.marked.emit(cells)

    @Slot(str, bool)
    def classMarked(self, fill: str, add: bool) -> None:  # noqa: N802
        self.class_marked.emit(fill, add)

    @Slot(str, result="QStringList")
    def tooltip(self, cell: str) -> list[str]:
        return list(self.painting.words_of(cell, self.outside)) if self.painting else []
