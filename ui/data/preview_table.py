"""The table of the preview: the first rows or random ones, of how much of the files. Confidential."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QButtonGroup, QHBoxLayout, QRadioButton, QTableView, QWidget

from core.assist.random_rows import RandomRows, random_rows_of
from core.progress import Progress
from core.read.file_format import FileFormat
from core.read.preview_rows import Preview
from ui.data.preview_model import PreviewModel
from ui.kit.elided_label import ElidedLabel
from ui.kit.stage import Stage
from ui.language.translation import counted, percent, translator, whole
from ui.layout.boxes import in_column
from ui.layout.tab_order import tab_through

_tr = translator("PreviewTable")

_WIDEST = 240
_MEASURED_ROWS = 12
_HEADER_PADDING = 18
_LOWEST = 118


class PreviewTable(QWidget):
    """Emits `shown_changed` when other rows are shown, `failed` when none could be drawn."""

    shown_changed = Signal()
    failed = Signal(object)

    def __init__(self, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        """paths: the first with rows gives the first rows, and all of them random ones."""
        super().__init__(parent)
        self._paths = tuple(paths)
        self.name = paths[0].name
        """Of the file whose first rows are shown."""
        self._file_format = FileFormat()
        self._first: Preview | None = None
        self._random: RandomRows | None = None
        self._drawing = Stage(self, self._on_drawn, failed=self._on_failed)
        self.model = PreviewModel(self)
        self.table = self._make_table()
        self.first = QRadioButton(_tr("&First rows"), self)
        self.first.setChecked(True)
        self.random = QRadioButton(_tr("Random rows"), self)
        self._group = QButtonGroup(self)
        self.caption = ElidedLabel(look="muted", parent=self)
        row = QHBoxLayout()
        row.setSpacing(14)
        for button in (self.first, self.random):
            self._group.addButton(button)
            button.setEnabled(False)
            row.addWidget(button)
        row.addWidget(self.caption, 1)
        in_column(self, row, (self.table, 1), spacing=5)
        tab_through((self.first, self.random, self.table), self.table)
        self._group.buttonToggled.connect(self._on_toggled)

    def _make_table(self) -> QTableView:
        table = QTableView(self)
        table.setModel(self.model)
        table.setAccessibleName(_tr("Rows of the file, confidential"))
        table.setMinimumHeight(_LOWEST)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().setDefaultSectionSize(24)
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setResizeContentsPrecision(_MEASURED_ROWS)
        table.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        return table

    @property
    def shown(self) -> Preview | None:
        """The rows that are shown; None before any was read."""
        random = self._random if self.random.isChecked() else None
        return random.preview if random else self._first

    @property
    def busy(self) -> bool:
        """Random rows are being drawn."""
        return self._drawing.running

    @property
    def shows_first_rows(self) -> bool:
        """The rows that are shown are numbered as in the file."""
        return self.shown is self._first

    def show_file(self, preview: Preview, file_format: FileFormat) -> None:
        """Show the first rows of the file as read with this format; random ones are drawn anew if wanted."""
        self._first, self._file_format, self._random = preview, file_format, None
        self._drawing.drop()
        for button in (self.first, self.random):
            button.setEnabled(True)
        self._show()
        if self.random.isChecked():
            self._draw()
        # in a later turn: measuring many columns takes its time
        QTimer.singleShot(0, self, self._fit_columns)

    def fit_headers(self) -> None:
        """Widen columns whose header has become bold or longer."""
        for column in range(self.model.columnCount()):
            wanted = self.table.horizontalHeader().sectionSizeHint(column) + _HEADER_PADDING
            if self.table.columnWidth(column) < wanted:
                self.table.setColumnWidth(column, wanted)

    def drop(self) -> None:
        """Nobody wants random rows any more."""
        self._drawing.drop()

    def _fit_columns(self) -> None:
        self.table.resizeColumnsToContents()
        for column in range(self.model.columnCount()):
            if self.table.columnWidth(column) > _WIDEST:
                self.table.setColumnWidth(column, _WIDEST)
        self.fit_headers()

    def _show(self) -> None:
        assert self.shown is not None
        uses = self.model.uses
        self.model.set_preview(self.shown, numbered=self.shows_first_rows)
        self.model.set_uses(uses)
        self._tell()

    def _tell(self) -> None:
        shown, random = self.shown, self._random
        if shown is None:
            return
        count = len(shown.rows)
        if (self.shows_first_rows or random is None) and len(self._paths) > 1:
            name = self.name
            text = counted("the first row of {name}", "the first {n} rows of {name}", count, name=name)
        elif self.shows_first_rows or random is None:
            text = counted("the first row", "the first {n} rows", count)
        elif len(self._paths) > 1:
            text = counted(
                "{n} random row from {drawn} of {files} files",
                "{n} random rows from {drawn} of {files} files",
                count,
                drawn=whole(random.files),
                files=whole(len(self._paths)),
            )
        elif random.fraction >= 1.0:
            text = counted("{n} random row from the whole file", "{n} random rows from the whole file", count)
        else:
            text = counted(
                "{n} random row from the first {share} of the file: such files are read from the start",
                "{n} random rows from the first {share} of the file: such files are read from the start",
                count,
                share=percent(random.fraction, _decimals(random.fraction)),
            )
        self.caption.setText(text)

    def _on_toggled(self, _button: object, checked: bool) -> None:
        if not checked or self._first is None:
            return
        if self.random.isChecked() and self._random is None:
            self._draw()
            return
        self._drawing.drop()
        self._show()
        self.shown_changed.emit()

    def _draw(self) -> None:
        paths, file_format, first = self._paths, self._file_format, self._first
        assert first is not None
        self.caption.setText(_tr("drawing rows…"))

        def work(progress: Progress) -> RandomRows:
            return random_rows_of(paths, first.columns, file_format, progress)

        self._drawing.start(work, what=self.tr("Reading the first rows…"))

    def _on_drawn(self, rows: RandomRows) -> None:
        self._random = rows
        self._show()
        self.shown_changed.emit()

    def _on_failed(self, error: object) -> None:
        self.first.setChecked(True)
        self._tell()
        self.failed.emit(error)


def _decimals(share: float) -> int:
    """Of a share in percent, so that two digits tell it."""
    return max(0, 1 - math.floor(math.log10(100 * share))) if share > 0 else 0
