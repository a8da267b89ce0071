"""Rows of a form: a name with its key, an editor, and why it stands so."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from ui.kit.elided_label import ElidedLabel
from ui.kit.labels import plain_label, set_look
from ui.kit.list_box import ListBox
from ui.kit.spec_words import help_of, label_of
from ui.kit.tips import in_lines
from ui.language.translation import translator, without_mnemonic

_tr = translator("FormGrid")

_NAME_WIDTH = 100
EDITOR_WIDTH = 188
_REASON_WIDTH = 96
"""A reason in less is a word a line, or two letters and an ellipsis."""
_MOST_LINES = 2
"""Of a reason beside its editor; one of more lines is read below it, where it has more room."""
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=\w{1,2}$)")
"""A space between a figure and its unit, at the end of a reason."""
_JOINING_SPACE = "\N{NO-BREAK SPACE}"


class FormGrid(QWidget):
    """A grid of three columns: name, editor, reason; a reason that has no room there stands below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: dict[str, QLabel] = {}
        self._editors: dict[str, QWidget] = {}
        self._reasons: dict[str, ElidedLabel] = {}
        self._wide: dict[str, QWidget] = {}
        self._rows: dict[str, int] = {}
        self._below: set[str] = set()
        self._beside: dict[str, Callable[[], QWidget]] = {}
        self._next_row = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(5)
        self._grid.setColumnMinimumWidth(0, _NAME_WIDTH)
        self._grid.setColumnMinimumWidth(1, EDITOR_WIDTH)
        self._grid.setColumnMinimumWidth(2, _REASON_WIDTH)
        self._grid.setColumnStretch(2, 1)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """In the order in which they stand."""
        return tuple(self._editors.values())

    def add(
        self, part: str, text: str, editor: QWidget, *, beside: Callable[[], QWidget] | None = None
    ) -> None:
        """A row. beside: of an editor that takes the place of the reason too, what the name belongs to."""
        row = self._take_row()
        name = plain_label(text, self)
        name.setBuddy(beside() if beside else editor)
        if not editor.accessibleName():
            editor.setAccessibleName(without_mnemonic(text))
        self._rows[part], self._names[part], self._editors[part] = row, name, editor
        if beside:
            self._beside[part] = beside
            self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(editor, row, 1, 1, 2)
            return
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(editor, row, 1)
        reason = ElidedLabel(look="muted", parent=self)
        reason.setWordWrap(True)
        self._grid.addWidget(reason, row, 2)
        self._reasons[part] = reason

    def _take_row(self) -> int:
        """The next free row; the one after it is left for a reason that has to stand below."""
        self._next_row += 2
        return self._next_row - 2

    def add_key(
        self, part: str, path: str, editor: QWidget, *, beside: Callable[[], QWidget] | None = None
    ) -> None:
        """A row for a key of the spec, which says what it is called and what it means."""
        self.add(part, label_of(path), editor, beside=beside)
        for widget in (self._names[part], editor):
            widget.setToolTip(in_lines(help_of(path)))

    def add_below(self, part: str, widget: QWidget) -> None:
        """A widget under the editor of the row before."""
        self._grid.addWidget(widget, self._take_row(), 1, 1, 2)
        self._wide[part] = widget

    def say(self, part: str, text: str, shorter: str = "") -> None:
        """Tell why a part stands as it does; shorter: the same where a line has no room for the text."""
        if part in self._reasons:
            self._reasons[part].setWordWrap(not shorter)
            self._reasons[part].set_either(_BEFORE_UNIT.sub(_JOINING_SPACE, text), shorter)
            self._place_reasons(part)
        self._editors[part].setAccessibleDescription(text)

    def reason(self, part: str) -> str:
        """What is said beside a part."""
        return self._reasons[part].text().replace(_JOINING_SPACE, " ") if part in self._reasons else ""

    def mark_open(self, still_open: Collection[str]) -> None:
        """Show by a look and by a mark which parts have still to be chosen."""
        for part, reason in self._reasons.items():
            look = "warning" if part in still_open else "muted"
            if reason.property("look") != look:
                set_look(reason, look)
            text = reason.text().removeprefix("! ")
            marked = f"! {text}" if part in still_open and text else text
            if marked != reason.text():
                self.say(part, marked)

    def set_shown(self, parts: Mapping[str, bool]) -> None:
        """Show or hide whole rows."""
        # else every widget shown lays out the whole dialog anew
        self._grid.setEnabled(False)
        for part, shown in parts.items():
            rows = (self._names, self._editors, self._reasons, self._wide)
            for widget in [row[part] for row in rows if part in row]:
                if widget.isHidden() is shown:
                    widget.setVisible(shown)
        self._grid.setEnabled(True)
        self._grid.invalidate()

    def event(self, event: QEvent) -> bool:
        # the layout has placed everything by then
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._place_reasons()
            self._align_names()
        return super().event(event)

    def _place_reasons(self, *parts: str) -> None:
        """Beside the editor, or below where that would be a column of few words; of all parts if of none."""
        room = self._grid.cellRect(0, 2).width()
        if room <= 0:
            return
        for part in parts or self._reasons:
            reason = self._reasons[part]
            lines = reason.heightForWidth(room) / reason.fontMetrics().lineSpacing()
            below = reason.wordWrap() and lines > _MOST_LINES + 0.5
            if below is (part in self._below):
                continue
            self._below ^= {part}
            self._grid.removeWidget(reason)
            self._grid.addWidget(reason, self._rows[part] + below, 2 - below, 1, 1 + below)

    def _align_names(self) -> None:
        """The name of an editor of several lines stands beside that of them which it belongs to."""
        for part, beside in self._beside.items():
            name, line = self._names[part], beside()
            top = line.mapTo(self._editors[part], QPoint(0, 0)).y()
            margins = name.contentsMargins()
            if margins.top() != top or name.minimumHeight() != top + line.height():
                name.setContentsMargins(0, top, 0, 0)
                name.setMinimumHeight(top + line.height())


def combo(parent: QWidget, *entries: tuple[str, object], chosen: bool = False) -> QComboBox:
    """A list that does not grow with its entries; nothing is chosen unless `chosen` says the first is."""
    box = ListBox(parent)
    box.setPlaceholderText(_tr("Choose…"))
    # of a fixed width, so that no list has to be measured: every policy of sizes would do that
    box.setFixedWidth(EDITOR_WIDTH)
    box.setMaxVisibleItems(16)
    for text, data in entries:
        box.addItem(text, data)
    box.setCurrentIndex(0 if chosen else -1)
    return box


def align_names(*grids: FormGrid) -> None:
    """Editors of grids that stand below each other begin at the same place: at the longest name's end."""
    names = [name for grid in grids for name in grid._names.values()]
    width = max((name.sizeHint().width() for name in names), default=0)
    for grid in grids:
        grid._grid.setColumnMinimumWidth(0, max(_NAME_WIDTH, width))
