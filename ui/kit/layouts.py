"""How the window is divided: three columns, a page that scrolls, tabs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.kit.translation import translator

_tr = translator("Layouts")

LEFT_WIDTH = 364
RIGHT_WIDTH = 296
_LEAST_CENTRE = 400
_FIRST_SIZE = QSize(1360, 760)
_TITLE_BAR = 32
"""What the desktop puts above a window, about."""
_LEAST_PAGE = 120
"""Of a step's page that is seen at once: what lies above it gives way."""
_WRAPPED = 1
"""Least height of a page whose words wrap: any takes the place of the one for a narrow page."""
_LEAST_SHOWN = QSize(180, 140)
"""Of a tab that scrolls."""


class _ScrollArea(QScrollArea):
    """As wide as its page and the bar beside it at least: what does not scroll sideways must not be cut."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        hint, page = super().minimumSizeHint(), self.widget()
        if page is None:
            return hint
        least = page.minimumSizeHint().expandedTo(page.minimumSize())
        return QSize(least.width() + self.verticalScrollBar().sizeHint().width(), hint.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        page = self.widget()
        if page is not None and watched is page and event.type() == QEvent.Type.LayoutRequest:
            _as_high_as_its_words(page)
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        page = self.widget()
        if page is not None:
            _as_high_as_its_words(page)
        super().resizeEvent(event)


def _as_high_as_its_words(page: QWidget) -> None:
    """Where words wrap, the page is as high as they are at its width, not as they would be in a narrow one.

    Qt takes the larger of both: it offered to scroll where nothing lies below.
    """
    wraps = page.hasHeightForWidth()
    if page.minimumHeight() == (0 if wraps else _WRAPPED):
        page.setMinimumHeight(_WRAPPED if wraps else 0)


def scrolling(page: QWidget | None = None, parent: QWidget | None = None) -> QScrollArea:
    """A page that scrolls up and down, never sideways; it may be set later."""
    area = _ScrollArea(parent)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if page is not None:
        area.setWidget(page)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    # what Tab reaches in it is scrolled to
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class _Upwards(QObject):
    """Keeps a part of a page at the upper edge of its area until somebody scrolls.

    A page of wrapping words is laid out in several rounds, and each of them may move the part.
    """

    def __init__(self, part: QWidget, page: QWidget, area: QScrollArea) -> None:
        super().__init__(area)
        self._part, self._page, self._bar = part, page, area.verticalScrollBar()
        self._bar.rangeChanged.connect(self._scroll)
        self._bar.actionTriggered.connect(self.deleteLater)
        QTimer.singleShot(0, self, self._scroll)

    @Slot()
    def _scroll(self) -> None:
        if self._part.isVisible():
            self._bar.setValue(self._part.mapTo(self._page, QPoint(0, 0)).y())


def scroll_up_to(part: QWidget) -> None:
    """Bring a part of a page to the upper edge of the area that it scrolls in, once it is laid out."""
    area = part.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    page = area.widget() if area is not None else None
    if area is not None and page is not None:
        for before in area.findChildren(_Upwards):
            before.deleteLater()
        _Upwards(part, page, area)


class _BothWays(QScrollArea):
    """Scrolls what is larger than its place: it never takes room from what lies beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return _LEAST_SHOWN

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return _LEAST_SHOWN


def scrolling_both_ways() -> QScrollArea:
    """For a page, set later, that takes no more room than there is."""
    return _BothWays()


class TabPages(QTabWidget):
    """Tabs whose pages scroll where they have too little room, so that none changes the columns beside it.

    Pages are named by themselves, not by the area that they scroll in.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self._pages: list[QWidget] = []

    def add_page(self, title: str, page: QWidget) -> None:
        """A tab behind the others; once for each page."""
        if page not in self._pages:
            self._pages.append(page)
            area = _BothWays()
            self.addTab(area, title)
            area.setWidget(page)  # once it is where it stays

    def widget(self, index: int) -> QWidget:
        return self._pages[index]

    def indexOf(self, page: QWidget) -> int:  # noqa: N802 - Qt's name
        return self._pages.index(page) if page in self._pages else -1

    def currentWidget(self) -> QWidget:  # noqa: N802 - Qt's name
        return self._pages[self.currentIndex()]

    def setCurrentWidget(self, page: QWidget) -> None:  # noqa: N802 - Qt's name
        self.setCurrentIndex(self.indexOf(page))


class ShownPage(QStackedWidget):
    """Needs the height of the page that is shown: of a larger one, hidden, there is nothing to scroll to.

    Its width is that of the widest page: what lies beside it stays where it is.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self._low(super().sizeHint(), QWidget.sizeHint)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self._low(super().minimumSizeHint(), _least_of)

    def _low(self, size: QSize, of_page: Callable[[QWidget], QSize]) -> QSize:
        shown = self.currentWidget()
        return size if shown is None else QSize(size.width(), of_page(shown).height())

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        shown = self.currentWidget()
        return shown is not None and shown.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        shown = self.currentWidget()
        return -1 if shown is None else shown.heightForWidth(width)


class _SectionTabs(QTabWidget):
    """The same, below a bar to choose by."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        size, shown = super().minimumSizeHint(), self.currentWidget()
        return size if shown is None else QSize(size.width(), self._around + _least_of(shown).height())

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        shown = self.currentWidget()
        return shown is not None and shown.hasHeightForWidth()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        shown = self.currentWidget()
        return -1 if shown is None else self._around + shown.heightForWidth(width)

    @property
    def _around(self) -> int:
        """Pixels of the bar and the frame."""
        pages = [page for page in map(self.widget, range(self.count())) if page is not None]
        return super().minimumSizeHint().height() - max(_least_of(page).height() for page in pages)


def _least_of(page: QWidget) -> QSize:
    return page.minimumSizeHint().expandedTo(page.minimumSize())


def section_tabs(name: str, parent: QWidget) -> QTabWidget:
    """A bar to choose among the sections of a page; name: what they are, for assistive technology."""
    made = _SectionTabs(parent)
    made.setDocumentMode(True)
    bar = made.tabBar()
    bar.setDrawBase(False)
    bar.setAccessibleName(name)
    # Qt's own names of the arrows, where there is no room for all tabs, are English
    for arrow, said in zip(
        bar.findChildren(QToolButton), (_tr("Tabs before"), _tr("Tabs behind")), strict=True
    ):
        arrow.setAccessibleName(said)
    return made


def start_sizes(width: int) -> list[int]:
    """Widths of the three columns on the first day."""
    return [LEFT_WIDTH, max(_LEAST_CENTRE, width - LEFT_WIDTH - RIGHT_WIDTH), RIGHT_WIDTH]


def first_size(room: QSize, wanted: QSize = _FIRST_SIZE) -> QSize:
    """Of the window on the first day: what a small screen has, and no more than looks good."""
    return wanted.boundedTo(room - QSize(0, _TITLE_BAR))


def has_room_beside(width: int) -> bool:
    """The right column is open on the first day: it leaves the centre wide enough to work in."""
    return width - LEFT_WIDTH - RIGHT_WIDTH >= _LEAST_CENTRE


class WindowColumns(QSplitter):
    """The three columns; the centre takes what is left."""

    def __init__(self, left: QWidget) -> None:
        """left: the others follow, so that Tab gets to them later than to what is put into this one first."""
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("columns")
        self.setHandleWidth(6)
        self.addWidget(left)

    def add(self, centre: QWidget, right: QWidget) -> None:
        """The other two."""
        self.addWidget(centre)
        self.addWidget(right)
        self.setCollapsible(1, False)
        self.setStretchFactor(1, 1)
        self.setSizes(start_sizes(1360))
        right.setMinimumWidth(220)


def stacked(top: QWidget, below: QStackedWidget) -> QWidget:
    """The left column: steps above, the chosen step's page below."""
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(8, 8, 0, 8)
    below.setMinimumHeight(_LEAST_PAGE)
    layout.addWidget(top)
    layout.addWidget(below, 1)
    return column
