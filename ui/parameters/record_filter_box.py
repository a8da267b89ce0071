"""Which records count, by a column that is chosen and values that it is or is not, up to 80 characters."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.clean.record_filter import NOT, RecordFilter, filters_of, is_public_text
from core.errors import InputError
from ui.kit.buttons import push_button
from ui.kit.labels import shrinkable
from ui.kit.list_box import ListBox
from ui.kit.spec_words import help_of
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column, in_row
from ui.layout.tab_order import tab_through
from ui.parameters.groups_box import BETWEEN, typed_texts
from ui.session.session import Session


@dataclass(slots=True, kw_only=True, eq=False)
class FilterRow:
    """The editors of one condition."""

    line: QWidget
    column: ListBox
    excluded: ListBox
    values: QLineEdit
    remove: QPushButton


class RecordFilterBox(QWidget):
    """Edits the draft's filter; a condition counts once it has values. `refused(error)`: they cannot be."""

    refused = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: tuple[object, ...] | None = None
        self.rows: list[FilterRow] = []
        self.add = push_button(self.tr("Only some records…"), self, self._add_row)
        self.add.setToolTip(in_lines(help_of("data.filter")))
        self._column = in_column(self, (self.add, 0), spacing=4)

    @property
    def _names(self) -> list[str]:
        source = self._session.source
        return [name for name, _ in source.rules.mapping.public_columns] if source is not None else []

    @property
    def filters(self) -> tuple[RecordFilter, ...]:
        """As the draft has them, or the source."""
        draft, source = self._session.draft, self._session.source
        if draft.filters is not None:
            return draft.filters
        return source.rules.filters if source is not None else ()

    def refresh(self) -> None:
        """Show the draft; a condition that still has no values stays until others are shown."""
        self.add.setEnabled(bool(self._names))
        missing = self.tr("No column of the records has a public name yet.")
        self.add.setToolTip(in_lines(help_of("data.filter") if self._names else missing))
        shown = (*self.filters, *self._names)
        if shown == self._shown:
            return
        self._shown = shown
        while self.rows:
            self._drop(self.rows[0])
        for one in self.filters:
            row = self._add_row()
            row.column.setCurrentText(one.name)
            row.excluded.setCurrentIndex(int(one.excluded))
            row.values.setText(f"{BETWEEN} ".join(one.values))

    def _add_row(self) -> FilterRow:
        line = QWidget()
        column, excluded, values = ListBox(line), ListBox(line), QLineEdit(line)
        column.addItems(self._names)
        excluded.addItem(self.tr("is"), False)
        excluded.addItem(self.tr("is not"), True)
        values.setPlaceholderText(self.tr("values, separated by semicolons"))
        row = FilterRow(
            line=line,
            column=column,
            excluded=excluded,
            values=values,
            remove=push_button(
                "\N{MULTIPLICATION SIGN}", line, name=self.tr("Remove this condition"), look="flat"
            ),
        )
        for editor, name in (
            (column, self.tr("Column that records are chosen by")),
            (excluded, self.tr("Which of them count")),
            (values, self.tr("Values of the column")),
        ):
            editor.setAccessibleName(name)
        for box in (column, excluded):
            shrinkable(box)
            box.activated.connect(self._take)
        values.editingFinished.connect(self._take)
        row.remove.clicked.connect(lambda: self._remove(row))
        in_row(line, (column, 2), (excluded, 1), (values, 3), row.remove, spacing=4)
        self._column.insertWidget(len(self.rows), line)
        self.rows.append(row)
        stops = [stop for one in self.rows for stop in (one.column, one.excluded, one.values, one.remove)]
        tab_through([*stops, self.add], self.add)
        column.setFocus()
        return row

    def _drop(self, row: FilterRow) -> None:
        self.rows.remove(row)
        row.line.deleteLater()

    def _remove(self, row: FilterRow) -> None:
        self._drop(row)
        self._take()

    def _take(self) -> None:
        """What all rows say together."""
        stated: dict[str, list[str]] = {}
        for row in self.rows:
            key = (NOT if row.excluded.currentData() else "") + row.column.currentText()
            if texts := typed_texts(row.values.text()):
                stated.setdefault(key, []).extend(texts)
        for key, texts in stated.items():
            if not all(map(is_public_text, texts)):
                self.refused.emit(
                    InputError(
                        self.tr("A value is longer than 80 characters, or has invisible ones."),
                        where=f"data.filter.{key}",
                        mend=self.tr("type the text of the cells"),
                    )
                )
                return
        filters = filters_of(stated)
        if filters != self.filters:
            self._shown = (*filters, *self._names)
            self._session.edit(self.tr("Only some records"), filters=filters)
