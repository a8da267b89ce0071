"""The places of the window, their buttons, tips and keys: steps and tabs, *Ledger*, *Compare*, *Decide*."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QToolButton, QWidget

from ui.kit.tips import in_lines
from ui.layout.scroll_areas import scrolling_both_ways
from ui.layout.window_columns import WindowColumns, has_decide_beside, has_result_beside, is_roomy
from ui.ledger.page import LedgerPage
from ui.shell.compare_place import ComparePlace


class Places(QStackedWidget):
    """Emits `left` where another place takes that of steps and tabs. Whose foot it is shows the buttons."""

    left = Signal()

    def __init__(self, columns: WindowColumns, side: QWidget, parent: QWidget | None = None) -> None:
        """side: the decide panel among the columns; it folds away, and comes back from the same place."""
        super().__init__(parent)
        self._steps = columns
        self._columns = columns
        self._decides = True
        """Something is decided on the step that is shown."""
        self.fold = self._button(self.tr("Decide"), self.tr("Show or fold away the decide panel (Ctrl+B)"))
        self.fold.setChecked(True)
        self.fold.toggled.connect(side.setVisible)
        self.to_result = self._button(self.tr("Map"), self.tr("Map, errors and table in place of the page"))
        self.to_result.toggled.connect(
            lambda shown: columns.show_result(in_place=shown, width=self.window().width())
        )
        self.to_ledger = self._button(
            self.tr("Ledger"), self.tr("What every release has cost, what is left, plans (Ctrl+L)")
        )
        self.to_compare = self._button(
            self.tr("Compare"), self.tr("What has changed between published bundles (Ctrl+D)")
        )
        self.buttons = (self.to_result, self.fold, self.to_ledger, self.to_compare)
        self._areas = {switch: scrolling_both_ways() for switch in (self.to_ledger, self.to_compare)}
        self.addWidget(columns)
        for switch, area in self._areas.items():
            self.addWidget(area)
            switch.toggled.connect(partial(self._show, switch))

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(in_lines(tip))
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return button

    def take(self, ledger: LedgerPage, compare: ComparePlace) -> None:
        """The pages of the other places."""
        pages: tuple[LedgerPage | ComparePlace, ...] = (ledger, compare)
        for page, area in zip(pages, self._areas.values(), strict=True):
            area.setWidget(page)
            page.closed.connect(self.show_steps)

    def _show(self, switch: QToolButton, shown: bool) -> None:
        """One of the places at most; without any of them steps and tabs."""
        if shown:
            for other in self._areas:
                other.setChecked(other is switch)
            self.left.emit()
        chosen = (area for one, area in self._areas.items() if one.isChecked())
        current: QWidget = next(chosen, self._steps)
        self.setCurrentWidget(current)

    def show_steps(self) -> None:
        """Steps and tabs in place of the ledger or a comparison."""
        for switch in self._areas:
            switch.setChecked(False)

    def enter(self, *, decides: bool) -> None:
        """A step is shown: where nothing is decided, figures of the draft would be taken for its own."""
        self._decides = decides
        self._unfold_decide(self.window().width())

    def _unfold_decide(self, width: int) -> None:
        self.fold.setChecked(self._decides and has_decide_beside(width))

    def show_decide(self) -> None:
        """Show the right column, or fold it away where it can be seen."""
        if self._steps.isVisible():
            self.fold.toggle()
        else:
            self.show_steps()
            self.fold.setChecked(True)

    def show_result(self, *, shown: bool = True) -> None:
        """Map, errors and table, or the page again, where one of them has room."""
        self.show_steps()
        self.to_result.setChecked(shown)

    def begin(self, width: int) -> None:
        """As a window of this width is on the first day."""
        self._columns.fit(width)
        self._unfold_decide(width)
        self._offer(width)

    def follow_width(self, before: int, now: int) -> None:
        """Fold away what has no room to work in, and bring it back with the room."""
        if has_decide_beside(before) is not has_decide_beside(now):
            self._unfold_decide(now)
        if is_roomy(before) is not is_roomy(now):
            self._columns.fit(now)
        self._columns.arrange(now)
        self._offer(now)

    def _offer(self, width: int) -> None:
        """The buttons that do something in a window of this width."""
        narrow = not has_result_beside(width)
        self.to_result.setVisible(narrow)
        self.fold.setVisible(narrow)
