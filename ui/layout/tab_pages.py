"""Pages behind tabs, or one in the place of another: what is shown decides the room that they need."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QToolButton, QWidget

from ui.language.translation import translator
from ui.layout.scroll_areas import scrolling_both_ways

_tr = translator("Layouts")


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
            area = scrolling_both_ways()
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
