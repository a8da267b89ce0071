"""What tells rows apart beside place and time: kinds of day, and labels that count, typed."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from core.draft.draft_reading import place_choice_of
from core.errors import InputError
from core.hats.day_kinds import read_day_kinds
from core.hats.groups import DAY_KIND, DayKinds, Group, Groups, require_group_labels
from core.privacy import Relation
from ui.kit.list_box import ListBox
from ui.kit.spec_words import help_of
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column
from ui.layout.chips import Chips
from ui.layout.tab_order import tab_through
from ui.session.session import Session

BETWEEN = ";"
"""Between texts that are typed: a label may hold a comma, and blanks."""
_ASKS = "?"
"""The entry that asks for a file."""


class GroupsBox(QWidget):
    """Edits the draft's groups; labels of a column may be typed, and in relation `user` they must be."""

    refused = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.chips = Chips(self)
        self.chips.setToolTip(in_lines(help_of("hats.group")))
        self.chips.pressed.connect(self._toggle)
        self.labels: dict[str, QLineEdit] = {}
        self.kinds = ListBox(self)
        self.kinds.setAccessibleName(self.tr("Kinds of day"))
        self.kinds.setToolTip(in_lines(help_of("hats.day_kinds")))
        self.kinds.activated.connect(self._choose_kinds)
        self._column = in_column(self, self.chips, self.kinds, spacing=4)
        self._reading = Stage(self, self._take_kinds, failed=self.refused)

    def refresh(self) -> None:
        """Show the draft."""
        session, draft = self._session, self._session.draft
        names = [name for name, _ in session.source.rules.mapping.public_columns] if session.source else []
        chosen = {group.name: group for group in draft.groups}
        names = [name for name in names if name != place_choice_of(draft).place_column or name in chosen]
        names += [name for name in chosen if name not in (*names, DAY_KIND)]
        self.chips.show_chips([*((name, name) for name in names), (DAY_KIND, self.tr("kind of day"))], chosen)
        self.kinds.setVisible(DAY_KIND in chosen)
        self._show_kinds(draft.day_kinds)
        for name in {*self.labels, *chosen} - {DAY_KIND}:
            edit = self.labels.get(name) or self._edit_of(name)
            edit.setVisible(name in chosen)
            typed = draft.relation is Relation.USER
            edit.setPlaceholderText(
                (self.tr("{name}: type the labels") if typed else self.tr("{name}: all labels")).format(
                    name=name
                )
            )
            if name in chosen and not edit.hasFocus():
                edit.setText(f"{BETWEEN} ".join(chosen[name].labels))
        tab_through([*self.chips.buttons.values(), self.kinds, *self.labels.values()], self.kinds)

    def _show_kinds(self, file: str) -> None:
        """The two kinds of the calendar, those of the draft's file, and another file."""
        offered = [(self.tr("weekday and weekend"), "")]
        offered += [(self.tr("kinds of {file}").format(file=Path(file).name), file)] if file else []
        offered.append((self.tr("kinds of a file…"), _ASKS))
        if [self.kinds.itemText(row) for row in range(self.kinds.count())] != [text for text, _ in offered]:
            self.kinds.clear()
            for text, data in offered:
                self.kinds.addItem(text, data)
        self.kinds.setCurrentIndex(self.kinds.findData(file))

    def _choose_kinds(self) -> None:
        file = self.kinds.currentData()
        self._show_kinds(self._session.draft.day_kinds)
        if file == _ASKS:
            path, _ = QFileDialog.getOpenFileName(
                self, self.tr("Kinds of day"), "", self.tr("Lists of dates (*.csv *.txt);;All files (*)")
            )
            if path:
                self.take_kinds_of(Path(path))
        elif not file:
            self._edit_kinds("", ())

    def take_kinds_of(self, path: Path) -> None:
        """Tell days apart by what a file says of each date."""
        self._reading.start(lambda _: (path, read_day_kinds(path)), what=self.tr("Reading the days…"))

    def _take_kinds(self, read: tuple[Path, DayKinds]) -> None:
        path, kinds = read
        try:
            Group(DAY_KIND, kinds=kinds).on(self._session.draft.window.dates)
        except InputError as error:
            self.refused.emit(error)
            return
        self._edit_kinds(str(path), kinds)

    def _edit_kinds(self, file: str, kinds: DayKinds) -> None:
        groups = tuple(
            Group(DAY_KIND, kinds=kinds) if group.by_day else group for group in self._session.draft.groups
        )
        self._session.edit(self.tr("Kinds of day"), groups=groups, day_kinds=file)
        self.refresh()

    def _edit_of(self, name: str) -> QLineEdit:
        edit = QLineEdit(self)
        text = self.tr("Labels of {name} that count, separated by semicolons").format(name=name)
        edit.setAccessibleName(text)
        edit.setToolTip(in_lines(text))
        edit.editingFinished.connect(lambda: self._take_labels(name, edit.text()))
        self.labels[name] = edit
        self._column.addWidget(edit)
        return edit

    def _toggle(self, name: str) -> None:
        draft = self._session.draft
        if any(group.name == name for group in draft.groups):
            groups = tuple(group for group in draft.groups if group.name != name)
        else:
            groups = _in_order((*draft.groups, Group(name)))
        kinds = draft.day_kinds if any(group.by_day for group in groups) else ""
        self._session.edit(self.tr("Groups"), groups=groups, day_kinds=kinds)
        self.refresh()

    def _take_labels(self, name: str, text: str) -> None:
        typed = list(dict.fromkeys(typed_texts(text)))
        try:
            labels = require_group_labels(typed, where=f"hats.labels.{name}") if typed else ()
        except InputError as error:
            self.refused.emit(error)
            return
        groups = tuple(
            dataclasses.replace(group, labels=labels) if group.name == name else group
            for group in self._session.draft.groups
        )
        self._session.edit(self.tr("Labels"), groups=groups)


def typed_texts(text: str) -> list[str]:
    """What is typed in one field, in its order."""
    return [part.strip() for part in text.split(BETWEEN) if part.strip()]


def _in_order(groups: Groups) -> Groups:
    """Columns by their names, and the kind of day last."""
    return tuple(sorted(groups, key=lambda group: (group.by_day, group.name)))
