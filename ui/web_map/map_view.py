"""The offline map: hexagons coloured anew, clicked, hovered; a map that could not be drawn in time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtQuickWidgets import QQuickWidget
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from core.errors import HexveilError
from ui.kit.stage import Stage
from ui.language.translation import counted, percent
from ui.web_map.app_scheme import ASSET_ORIGIN, AssetHandler, RequestGuard
from ui.web_map.confidential_frame import FRAME_COLOURS, FRAME_WIDTH, fill_frames
from ui.web_map.map_html import Outlines, build_map
from ui.web_map.map_notice import MapNotice
from ui.web_map.map_texts import absence, description, page_texts, without_class
from ui.web_map.page_bridge import PageBridge
from ui.web_map.painting import MapPainting
from ui.web_map.web_engine import engine
from ui.web_map.web_page import OfflinePage, OfflineProfile

# As in resources/map/map.css, for the moments before the page is there.
_PAGE_COLOURS = {False: "#f5f4f0", True: "#15191e"}
_QUIET_COLOURS = {False: "#666c74", True: "#9aa3ad"}
_HEXAGONS: Outlines = {}
_PATIENCE_S = 45
"""A page takes one or two seconds, on a busy computer ten: then the person is warned, and it may come."""


class MapView(QWidget):
    """A map of H3 cells. It knows cells, classes, colours and words; no values.

    What is asked for before the page is there (painting, choice, outline, theme) waits for it.
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
        self._outlines, self._nothing = _HEXAGONS, ""
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
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._tell_absence)
        self.assets = AssetHandler(self)
        """What answers the page."""
        self._bridge = PageBridge(self)
        self._bridge.ready.connect(self._page_ready)
        self._bridge.clicked.connect(self.clicked)
        self._bridge.toggled.connect(self.toggled)
        self._bridge.brushed.connect(self.brushed)
        self._bridge.class_pressed.connect(self.class_pressed)
        self._bridge.painted.connect(self._on_painted)
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
        self,
        cells: Sequence[str],
        usual: tuple[float, float, float, float] | None = None,
        outlines: Outlines | None = None,
        nothing: str = "",
    ) -> None:
        """Draw these cells, in the background; emits `ready`. A newer call wins over a pending one.

        usual: south, west, north and east of what is seen first; all cells without it. outlines: of places
        that are no hexagons; nothing: what is said where there are no cells.
        """
        wanted, before = (tuple(dict.fromkeys(cells)), outlines or {}), (self._cells, self._outlines)
        self._nothing = nothing or self.tr("No hexagons to show yet.")
        if wanted == before and self._ready:
            self.ready.emit()
            return
        (self._cells, self._outlines), self._usual = wanted, usual
        self._revived = False
        self._build()

    def paint(self, painting: MapPainting) -> None:
        """Colour the cells anew, without a reload. Before the page is ready the latest one is stored."""
        self._painting = painting
        self._bridge.painting, self._bridge.outside = painting, without_class()
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
        """Tell those who hear the map what it shows."""
        words = description(self._painting, self._selected)
        self.setAccessibleDescription(words)
        self._run(f"hexveil.describe({json.dumps(words)})")

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
        self._run(f"hexveil.theme({json.dumps('dark' if dark else 'light')})")

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
        self._leave_page()
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
        self._profile = OfflineProfile(QCoreApplication.instance(), self.assets)
        self._web = QWebEngineView(self)
        self._page = OfflinePage(self._profile, self._web)
        self._web.setPage(self._page)
        self._web.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        # A file dropped on the map is meant for the window, not for a browser.
        self._web.setAcceptDrops(False)
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
        keyboard = self.palette().color(QPalette.ColorRole.Highlight) if self._has_keyboard else None
        confidential = QColor(FRAME_COLOURS[self._dark]) if self.framed else None
        painter = QPainter(self)
        fill_frames(painter, self.rect(), (keyboard, confidential), QColor(_PAGE_COLOURS[self._dark]))
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
        self._stack = QStackedLayout(self, stackingMode=QStackedLayout.StackingMode.StackAll)
        self._stack.addWidget(self._notice)
        self._name_for_readers()
        self._say(self.tr("No hexagons to show yet."))

    def _name_for_readers(self) -> None:
        self.setAccessibleName(self.tr("Map of hexagons"))
        self._describe()

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
        self._leave_page()
        self._pages += 1
        if not self._cells:
            self._builder.drop()
            self._say(self._nothing)
            self.ready.emit()
            return
        self._say(counted("Drawing {n} hexagon", "Drawing {n} hexagons", len(self._cells)))
        cells, usual, texts, outlines = self._cells, self._usual, page_texts(), self._outlines
        page, dark = self._page_name, self._dark
        self._builder.start(
            lambda progress: build_map(
                cells, texts, page=page, dark=dark, usual=usual, outlines=outlines, progress=progress
            )
        )

    def _picture(self) -> QPixmap | None:
        """Of the page, as its engine has drawn it.

        `grab` would first lay out all of the window, pages that nobody sees too: it may not take so long.
        """
        drawn = self._web.focusProxy() if self._web is not None else None
        return QPixmap.fromImage(drawn.grabFramebuffer()) if isinstance(drawn, QQuickWidget) else None

    @property
    def _page_name(self) -> str:
        return f"map-{self._pages}.html"

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
        self.assets.put_page(self._page_name, html)
        self._web.load(QUrl(ASSET_ORIGIN + self._page_name))

    def _page_ready(self, name: str) -> None:
        if name != self._page_name:
            return
        self._ready = True
        self._bridge.cells = frozenset(self._cells)
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

    def _leave_page(self) -> None:
        """It takes no more orders, and what it still says counts for nothing."""
        self._ready = False
        self._bridge.cells = frozenset()

    def _on_painted(self, number: int) -> None:
        if number == self._paintings:
            self.painted.emit()

    def _fail(self, error: Exception) -> None:
        self._say(self.tr("The map could not be drawn."))
        self.failed.emit(error)

    def _revive(self) -> None:
        """The engine's process ended: draw once more, then give up."""
        self._leave_page()
        if engine.given_up:
            return
        if self._revived:
            engine.failed()
            self._tell_absence()
            self.failed.emit(
                HexveilError(self.tr("The map's process ended."), mend=self.tr("try the map again"))
            )
            return
        self._revived = True
        self._build()

    def _tell_absence(self) -> None:
        self._patience.stop()
        self._say("")
        self._notice.offer(absence(), self.tr("Try the map again"))
        self.setAccessibleDescription(self._notice.text())

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
