"""Areas of the window that scroll: up and down only, or both ways."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QScrollBar, QWidget

_WRAPPED = 1
"""Least height of a page whose words wrap: any takes the place of the one for a narrow page."""
_FITTED_ON = (QEvent.Type.LayoutRequest, QEvent.Type.Resize)
"""Events of a page on which Qt fits its bars and with them the page anew."""
_ROUNDS = 4
"""Of a layout within a layout: where a bar makes words wrap that need it no more once it is gone, they never
end."""
_LEAST_SHOWN = QSize(180, 140)
"""Of a page that scrolls both ways."""


class _FittingArea(QScrollArea):
    """Scrolls down as far as the words of its page reach at the width they have, and no further."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rounds = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        page = self.widget()
        if page is None or watched is not page or event.type() not in _FITTED_ON:
            return super().eventFilter(watched, event)
        if self._rounds >= _ROUNDS:
            return False
        self._rounds += 1
        try:
            if event.type() == QEvent.Type.LayoutRequest:
                self._fit(page)
            return super().eventFilter(watched, event)
        finally:
            self._rounds -= 1

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        page = self.widget()
        if page is not None:
            self._fit(page)
        super().resizeEvent(event)

    def _fit(self, page: QWidget) -> None:
        _as_high_as_its_words(page)


class _ScrollArea(_FittingArea):
    """As wide as its page and the bar beside it at least: what does not scroll sideways must not be cut."""

    def __init__(self, parent: QWidget | None, *, inside: bool, ends_with_page: bool) -> None:
        super().__init__(parent)
        self._inside = inside
        self._ends_with_page = ends_with_page

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        hint = super().sizeHint()
        return QSize(hint.width(), self.minimumSizeHint().height()) if self._inside else hint

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        hint, page = super().minimumSizeHint(), self.widget()
        if page is None:
            return hint
        least = page.minimumSizeHint().expandedTo(page.minimumSize())
        return QSize(least.width() + self.verticalScrollBar().sizeHint().width(), hint.height())

    def _fit(self, page: QWidget) -> None:
        """A bar makes words wrap, which then need it: there is none where all fits without it."""
        super()._fit(page)
        room = self.contentsRect()
        fits = page.hasHeightForWidth() and page.heightForWidth(room.width()) <= room.height()
        if self._ends_with_page:
            self.setMaximumHeight(page.heightForWidth(room.width()))
        off, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setVerticalScrollBarPolicy(off if fits else needed)


def _as_high_as_its_words(page: QWidget) -> None:
    """Where words wrap, the page is as high as they are at its width, not as they would be in a narrow one.

    Qt takes the larger of both: it offered to scroll where nothing lies below.
    """
    wraps = page.hasHeightForWidth()
    if page.minimumHeight() == (0 if wraps else _WRAPPED):
        page.setMinimumHeight(_WRAPPED if wraps else 0)


def scrolling(
    page: QWidget | None = None,
    parent: QWidget | None = None,
    *,
    inside: bool = False,
    ends_with_page: bool = False,
) -> QScrollArea:
    """A page that scrolls up and down, never sideways; it may be set later.

    inside: it is a part of another page, which scrolls as late as it can. ends_with_page: where there is
    room for more, what stands below comes up to the end of the page, whose words wrap.
    """
    area = _ScrollArea(parent, inside=inside, ends_with_page=ends_with_page)
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
        super().__init__(part)  # and goes with it
        self.area = area
        self._part, self._page, self._bar = part, page, area.verticalScrollBar()
        self._bar.rangeChanged.connect(self._scroll)
        self._bar.actionTriggered.connect(self.deleteLater)
        self.is_new = True
        """It comes with what has the keyboard, such as why that was refused, and goes before it."""
        QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        self.is_new = False
        self._scroll()

    def _scroll(self) -> None:
        if self._part.isVisible():
            self._bar.setValue(self._part.mapTo(self._page, QPoint(0, 0)).y())


class _Visible(_Upwards):
    """The same for all of a part, and no farther than that takes; once the part is gone, back again."""

    def __init__(self, part: QWidget, page: QWidget, area: QScrollArea) -> None:
        super().__init__(part, page, area)
        earlier = [one for one in _in(area) if isinstance(one, _Visible) and one is not self and one.holds]
        self._before: int = earlier[0]._before if earlier else self._bar.value()
        self._position = self._bar.value()

    @property
    def holds(self) -> bool:
        """Nobody has scrolled since."""
        return self._bar.value() == self._position

    def _scroll(self) -> None:
        if not self._part.isVisible():
            if self._page.isVisible() and self.holds:
                self._bar.setValue(self._before)
            self.deleteLater()
            return
        self._bar.setValue(_showing(self._part, self._page, self._bar))
        self._position = self._bar.value()


class _InPlace(_Upwards):
    """The same for where it stands now: what a choice makes appear above it moves nothing under the hand."""

    def __init__(self, part: QWidget, page: QWidget, area: QScrollArea, within: QWidget) -> None:
        super().__init__(part, page, area)
        self._below = part.mapTo(area, QPoint(0, 0)).y()
        self._within = within

    def keeps_from(self, part: QWidget) -> bool:
        """While it has the keyboard, what is said elsewhere is not scrolled to."""
        return self._part.hasFocus() and not self._within.isAncestorOf(part)

    def _scroll(self) -> None:
        if self._part.isVisible():
            self._bar.setValue(self._part.mapTo(self._page, QPoint(0, 0)).y() - self._below)


def _showing(part: QWidget, page: QWidget, bar: QScrollBar) -> int:
    """The value nearest to that of now where all of a part is seen, or its beginning."""
    top = part.mapTo(page, QPoint(0, 0)).y()
    return min(max(bar.value(), top + part.height() - bar.pageStep()), top)


class FocusFollower(QObject):
    """What the keyboard has reached is scrolled to, whichever key or step it came by.

    Qt does so for Tab alone, and only inside an area. A press of the mouse moves nothing under itself, and a
    window that is active again stays as it was scrolled.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._scroll)
        app.focusChanged.connect(self._follow)
        app.focusWindowChanged.connect(self._soon.stop)

    def _follow(self) -> None:
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._soon.start()

    def _scroll(self) -> None:
        control = QApplication.focusWidget()
        if control is None:
            return
        for area, page in _around(control):
            bar = area.verticalScrollBar()
            value = _showing(control, page, bar)
            if value != bar.value() and not any(one.is_new for one in _in(area)):
                _let_go(area)
                bar.setValue(value)


def scroll_up_to(part: QWidget) -> None:
    """Bring a part of a page to the upper edge of the area that it scrolls in, once it is laid out."""
    _keep(part, _Upwards)


def scroll_to(part: QWidget) -> None:
    """Make a part of a page visible, its beginning at least, once it is laid out."""
    if not any(_keeps_its_place(part, area) for area, _ in _around(part)):
        _keep(part, _Visible)


def hold_in_place(control: QWidget, within: QWidget) -> None:
    """What was used last stays where it is on the screen; within: of what it is a part."""
    for area, page in _around(control):
        if not control.visibleRegion().isEmpty():
            _let_go(area)
            _InPlace(control, page, area, within)


def _keeps_its_place(part: QWidget, area: QScrollArea) -> bool:
    return any(isinstance(one, _InPlace) and one.keeps_from(part) for one in _in(area))


def scroll_to_beginning(page: QWidget) -> None:
    """Show a page from its beginning on, if it scrolls in an area."""
    for area, _ in _around(page):
        _let_go(area)
        area.verticalScrollBar().setValue(0)


def _keep(part: QWidget, way: type[_Upwards]) -> None:
    """In the area around it, and that area in those around."""
    for area, page in _around(part):
        _let_go(area)
        way(part, page, area)
        way = _Visible


def _in(area: QScrollArea) -> list[_Upwards]:
    return [one for one in area.findChildren(_Upwards) if one.area is area]


def _let_go(area: QScrollArea) -> None:
    for before in _in(area):
        before.deleteLater()


def _around(part: QWidget) -> Iterator[tuple[QScrollArea, QWidget]]:
    """The areas that a part scrolls in, from the inside, and their pages."""
    around = part.parentWidget()
    while around is not None and not around.isWindow():
        around = around.parentWidget()
        if isinstance(around, QScrollArea) and (page := around.widget()) is not None:
            yield around, page


class _BothWays(_FittingArea):
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
