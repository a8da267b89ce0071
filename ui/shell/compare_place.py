"""The place *Compare*, made when it is first wanted: what it reads tables with takes a while to load."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.progress import Progress
from ui.kit.labels import plain_label
from ui.kit.stage import Stage
from ui.kit.theme import Theme
from ui.layout.boxes import in_column
from ui.session.session import Session

if TYPE_CHECKING:
    from ui.compare.page import ComparePage
    from ui.map.change_map import ChangeMap


class ComparePlace(QWidget):
    """Holds its page, once somebody has come here. Emits `closed` as the page does."""

    closed = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self._waiting: tuple[Path, ...] = ()
        self.page: ComparePage | None = None
        """None before somebody has come here."""
        self.opening = plain_label(self.tr("Opening…"), self)
        self.opening.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column = in_column(self, self.opening)
        self._loading = Stage(self, self._build, failed=session.failed)

    @property
    def paths(self) -> tuple[Path, ...]:
        """Of the bundles that are open, or will be."""
        return self._waiting if self.page is None else self.page.paths

    def open_bundles(self, paths: Sequence[Path]) -> None:
        """Open these too, now or as soon as somebody comes here."""
        if self.page is None:
            self._waiting = tuple(dict.fromkeys((*self._waiting, *paths)))
        else:
            self.page.open_bundles(paths)

    def dispose(self) -> None:
        """Before the application ends."""
        if self.page is not None:
            self.page.map.dispose()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self.page is None and not self._loading.running:
            self._loading.start(_load, what=self.opening.text())

    def _build(self, loaded: tuple[type[ComparePage], type[ChangeMap]]) -> None:
        page_class, map_class = loaded
        self.page = page_class(self._session, map_class(self._theme))
        self.page.closed.connect(self.closed)
        self._column.replaceWidget(self.opening, self.page)
        self.opening.hide()
        self.opening.deleteLater()
        waiting, self._waiting = self._waiting, ()
        self.page.open_bundles(waiting)


def _load(_: Progress) -> tuple[type[ComparePage], type[ChangeMap]]:
    """In a worker, so that the window answers meanwhile."""
    from ui.compare.page import ComparePage
    from ui.map.change_map import ChangeMap

    return ComparePage, ChangeMap
