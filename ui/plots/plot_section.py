"""A plot that is made when it is first shown, and works only while it is shown; or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from core.errors import HexveilError
from core.progress import Progress
from ui.kit.empty_state import EmptyState
from ui.kit.garbage_collection import uncollected
from ui.kit.message_bar import Message, message_of
from ui.kit.qt_classes import make_qt_classes
from ui.kit.stage import Stage
from ui.kit.theme import Theme
from ui.layout.tab_pages import ShownPage

if TYPE_CHECKING:
    from ui.plots.plot_canvas import PlotCanvas


class PlotSection(ShownPage):
    """The place of a plot in a page that says what is plotted: it answers to `wanted`.

    load: imports the class of the canvases, in a worker: pyqtgraph takes longer to import than the window
    may stand still. makers: each makes one canvas of that class. page, place: where canvases go that do not
    fill the whole section, and how each of them gets there.
    """

    wanted = Signal()
    """Show what is known by now, and compute what is missing. Emitted only while the section is shown."""
    built = Signal()
    """Every canvas is there."""
    explained = Signal()
    """A message has taken the place of the plot."""
    rested = Signal()
    """Nothing is computed any more."""
    failed = Signal(object)
    """An exception that nobody expected; others are explained in place."""

    def __init__(
        self,
        theme: Theme,
        load: Callable[[], type[Any]],
        makers: Sequence[Callable[[type[Any]], PlotCanvas]],
        *,
        page: QWidget | None = None,
        place: Callable[[PlotCanvas], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._load = load
        self._makers = tuple(makers)
        self._place = place or self.addWidget
        self._asked_for = False
        self._canvases: list[PlotCanvas] = []
        self._ready = False
        self._faded = False
        self._stale = True
        self._importing = Stage(self, self._on_imported, failed=self.failed)
        self.computing = Stage(self, failed=self._on_failed)
        self.empty = EmptyState(self)
        self.addWidget(self.empty)
        if page is not None:
            self.addWidget(page)
        # several signals of one change are one look at what is wanted
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.refresh)
        theme.changed.connect(self._recolour)

    # what pages ask for

    @property
    def ready(self) -> bool:
        """Every canvas is there; while the section is shown, in the colours of the theme."""
        return self._ready

    @property
    def due(self) -> bool:
        """A look at what is wanted is about to come."""
        return self._soon.isActive()

    def refresh(self) -> None:
        """Something has changed: tell so if the section is shown, else when it is shown next."""
        self._stale = not self.isVisible()
        if not self._stale:
            self.wanted.emit()

    def refresh_soon(self) -> None:
        """The same once the event at hand has ended."""
        self._soon.start()

    def explain(self, message: Message) -> None:
        """Say why there is no plot, in its place."""
        self.empty.show_message(message)
        self.setCurrentIndex(0)
        self.explained.emit()

    def show_plot(self) -> None:
        """Show the plot, or the page that holds it."""
        self.setCurrentIndex(1)

    def rest(self) -> None:
        """Compute nothing more."""
        self.computing.drop()
        self.rested.emit()

    # only while it is shown

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self._faded:
            self._recolour()
        if not self._asked_for:
            self._asked_for = True
            make_qt_classes()
            self._import()
        if self._stale:
            self.refresh_soon()

    def _import(self) -> None:
        load = self._load

        def imported(_: Progress) -> type[Any]:
            with uncollected():
                return load()

        self._importing.start(imported, what=self.tr("Loading the plots…"))

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        # a minimised window is still wanted; one that is garbage has lost its attributes before it is hidden
        if self.__dict__ and not event.spontaneous():
            self._stale = True
            self.rest()

    def _on_imported(self, canvas_class: type[Any]) -> None:
        for make in self._makers:
            canvas = make(canvas_class)
            canvas.set_colours(self._theme.colours)
            self._place(canvas)
            self._canvases.append(canvas)
        self._ready = True
        self.built.emit()
        self.refresh_soon()

    def _recolour(self) -> None:
        """What is hidden waits until it is shown: all plots together would take too long."""
        self._faded = not self.isVisible()
        if not self._faded:
            for canvas in self._canvases:
                canvas.set_colours(self._theme.colours)

    def _on_failed(self, error: object) -> None:
        self.rest()
        if isinstance(error, HexveilError):
            self.explain(message_of(error))
        else:
            self.failed.emit(error)
