"""What tells rows apart beside place and time: columns by their public names, and kinds of day."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from core.errors import InputError
from core.hats.groups import DAY_KIND, Group, Groups, require_group_labels
from core.privacy import Relation
from ui.kit.spec_words import help_of
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column
from ui.layout.chips import Chips
from ui.session.session import Session

BETWEEN = ";"
"""Between texts that are typed: a label may hold a comma, and blanks."""


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
        self._column = in_column(self, self.chips, spacing=4)

    def refresh(self) -> None:
        """Show the draft."""
        session, draft = self._session, self._session.draft
        names = [name for name, _ in session.source.rules.mapping.public_columns] if session.source else []
        chosen = {group.name: group for group in draft.groups}
        names += [name for name in chosen if name not in (*names, DAY_KIND)]
        self.chips.show_chips([*((name, name) for name in names), (DAY_KIND, self.tr("kind of day"))], chosen)
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

    def _edit_of(self, name: str) -> QLineEdit:
        edit = QLineEdit(self)
        text = self.tr("Labels of {name} that count, with semicolons between").format(name=name)
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
