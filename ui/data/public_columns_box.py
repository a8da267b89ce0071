"""Columns with a public name, which must be plain and not twice; usual ones are proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.assist.public_columns import public_columns
from core.clean.record_filter import is_public_name
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.kit.list_box import ListBox
from ui.kit.spec_words import help_of
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column, in_row
from ui.layout.chips import Chips
from ui.layout.tab_order import tab_through

PublicNames = tuple[tuple[str, str], ...]
"""Public name and column, sorted by name."""


class PublicColumnsBox(QWidget):
    """Emits `changed` whenever a person names a column, or no longer."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self._proposed: dict[str, str] = {}
        self._rows: dict[QWidget, tuple[QLineEdit, ListBox]] = {}
        self.caption = label(self.tr("Columns for places and groups"), "heading", self, wraps=False)
        self.caption.setToolTip(in_lines(help_of("data.mapping.columns")))
        self.chips = Chips(self)
        self.chips.pressed.connect(self._press)
        self.add = push_button(self.tr("Name a column…"), self, self._add_empty)
        self.fault = label(look="warning", parent=self)
        self._column = in_column(self, self.caption, self.chips, self.add, self.fault, spacing=4)
        self._show()

    @property
    def rows(self) -> list[tuple[QLineEdit, ListBox]]:
        """Name and column of each, in the order in which they stand."""
        return list(self._rows.values())

    def offer(self, columns: Sequence[str]) -> None:
        """Of another file; nothing is chosen."""
        self._columns = tuple(dict.fromkeys(columns))
        self._proposed = public_columns(self._columns)
        self.show_named(())

    def show_named(self, named: PublicNames) -> None:
        """Show these in place of what was typed."""
        with QSignalBlocker(self):
            for line in list(self._rows):
                self._drop(line)
            for name, column in named:
                self._add_row(name, column)
        self._show()

    @property
    def named(self) -> PublicNames:
        """What is typed whole."""
        pairs = {name.text().strip(): column.currentText() for name, column in self.rows}
        return tuple(sorted((name, column) for name, column in pairs.items() if name and column))

    @property
    def problem(self) -> str:
        """What does not fit; shown below as well."""
        names = [name.text().strip() for name, _ in self.rows if name.text().strip()]
        if not all(map(is_public_name, names)):
            return self.tr(
                "A public name is lower-case letters, digits and underscores, and not id, time, position "
                "or value."
            )
        return self.tr("Two columns have the same public name.") if len(set(names)) < len(names) else ""

    @property
    def faulty(self) -> QWidget:
        """Where the problem is mended."""
        names = [name.text().strip() for name, _ in self.rows]
        wrong = (
            name
            for (name, _), text in zip(self.rows, names, strict=True)
            if text and (not is_public_name(text) or names.count(text) > 1)
        )
        return next(wrong, self.add)

    def _show(self) -> None:
        taken = {name for name, _ in self.named}
        offered = [(name, f"{name}: {column}") for name, column in self._proposed.items()]
        self.chips.show_chips(offered, taken)
        self.chips.setVisible(bool(offered))
        tab_through([*self.chips.buttons.values(), *self._stops(), self.add], self.add)
        self.fault.setText(self.problem)
        self.fault.setVisible(bool(self.problem))

    def _stops(self) -> Iterator[QWidget]:
        for line, editors in self._rows.items():
            yield from (*editors, *line.findChildren(QPushButton))

    def _press(self, name: str) -> None:
        """A proposal is taken, or given up."""
        lines = [line for line, (edit, _) in self._rows.items() if edit.text().strip() == name]
        for line in lines:
            self._drop(line)
        if not lines:
            self._add_row(name, self._proposed[name])
        self._changed()

    def _add_empty(self) -> None:
        name = self._add_row("", "")
        self._show()
        name.setFocus()

    def _add_row(self, name: str, column: str) -> QLineEdit:
        line = QWidget(self)
        edit, box = QLineEdit(name, line), ListBox(line)
        edit.setPlaceholderText(self.tr("public name"))
        edit.setAccessibleName(self.tr("Public name of a column"))
        box.setAccessibleName(self.tr("Column with a public name"))
        box.addItems(self._columns)
        box.setCurrentIndex(box.findText(column) if column else -1)
        box.setPlaceholderText(self.tr("Choose…"))
        text = self.tr("Remove this public name")
        remove: QPushButton = push_button("\N{MULTIPLICATION SIGN}", line, name=text, tip=text, look="flat")
        in_row(line, (edit, 1), (box, 2), remove, spacing=6)
        edit.editingFinished.connect(self._changed)
        box.activated.connect(self._changed)
        remove.clicked.connect(lambda: self._remove(line))
        self._rows[line] = (edit, box)
        self._column.insertWidget(self._column.indexOf(self.add), line)
        return edit

    def _remove(self, line: QWidget) -> None:
        self.add.setFocus()
        self._drop(line)
        self._changed()

    def _drop(self, line: QWidget) -> None:
        del self._rows[line]
        self._column.removeWidget(line)
        line.hide()
        line.deleteLater()

    def _changed(self) -> None:
        self._show()
        self.changed.emit()
