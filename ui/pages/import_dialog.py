"""The import dialog: the first rows of a file, how they are read, and what comes of it."""

from __future__ import annotations

import dataclasses
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.draft import DataSource
from core.errors import HexveilError, InternalError
from core.ingest.formats import reader_for
from core.ingest.mapping import ReadingRules
from core.ingest.readers.base import Preview, require_columns
from core.ingest.trial import (
    Choices,
    Suggestion,
    Trial,
    require_shape,
    suggest_choices,
    suggested_zone,
    try_mapping,
)
from core.privacy import Confidential
from core.progress import Progress
from ui.jobs import LatestJob
from ui.messages import MessageBar
from ui.models.preview_model import PreviewModel
from ui.pages.check_panel import CheckPanel
from ui.pages.mapping_form import MappingForm, part_words
from ui.widgets.labels import label

_SIZE = (1220, 660)
_WIDEST = 240
_MEASURED_ROWS = 12
_HEADER_PADDING = 18


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Opened(Confidential):
    preview: Preview
    suggestion: Suggestion
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Tried(Confidential):
    choices: Choices
    zone: str
    trial: Trial | None


class ImportDialog(QDialog):
    """Asks how files are read. Accepted only with a complete `source`."""

    def __init__(self, paths: Sequence[Path], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import records"))
        self._paths = tuple(paths)
        self._preview: Preview | None = None
        self._source: DataSource | None = None
        self._opening = self._job(self._on_opened)
        self._trying = self._job(self._on_tried)
        self._checking = self._job(self._on_checked)
        self._build()
        self.resize(*_SIZE)
        self._open()

    @property
    def source(self) -> DataSource:
        """What to load; there once the dialog was accepted."""
        if self._source is None:
            raise InternalError("the dialog was not accepted")
        return self._source

    def _job(self, done: object) -> LatestJob:
        job = LatestJob(parent=self)
        job.succeeded.connect(done)
        job.failed.connect(self._on_failed)
        return job

    def _build(self) -> None:
        self.message = MessageBar(self)
        self.model = PreviewModel(self)
        self.table = self._make_table()
        self.form = MappingForm(self)
        self.form.setEnabled(False)
        self.form.changed.connect(self._on_changed)
        self.check = CheckPanel(self)
        lower = QHBoxLayout()
        lower.setSpacing(16)
        lower.addWidget(self.form, 9)
        lower.addWidget(self.check, 11)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        layout.addWidget(label(self._title(), "heading", self))
        layout.addWidget(self.message)
        layout.addWidget(self.table, 1)
        layout.addLayout(lower)
        layout.addWidget(self._make_buttons())

    def _make_table(self) -> QTableView:
        table = QTableView(self)
        table.setModel(self.model)
        table.setAccessibleName(self.tr("First rows of the file, confidential"))
        table.setMinimumHeight(120)
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

    def _make_buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.load = QPushButton(self.tr("&Load"), self)
        self.load.setProperty("look", "primary")
        self.load.setDefault(True)
        self.load.setEnabled(False)
        box.addButton(self.load, QDialogButtonBox.ButtonRole.ActionRole)
        self.load.clicked.connect(self._check)
        box.rejected.connect(self.reject)
        return box

    def _title(self) -> str:
        name, count = self._paths[0].name, len(self._paths)
        if count == 1:
            return self.tr("How is {name} to be read?").format(name=name)
        return self.tr("How are these {n} files to be read? Preview of {name}").format(n=count, name=name)

    # the first rows

    def _open(self) -> None:
        path = self._paths[0]
        self.check.clear(self.tr("Reading the first rows…"))

        def work(progress: Progress) -> _Opened:
            preview = reader_for(path).preview(path)
            progress(0.5)
            zones = tuple(sorted(zoneinfo.available_timezones()))
            return _Opened(preview=preview, suggestion=suggest_choices(preview), zones=zones)

        self._opening.start(work)

    @Slot(object)
    def _on_opened(self, opened: _Opened) -> None:
        self._preview = opened.preview
        self.model.set_preview(opened.preview)
        self.form.setEnabled(True)
        self.form.set_columns(opened.preview.columns, opened.zones)
        self.form.suggest(opened.suggestion)
        self._focus_first_open()
        # in a turn of its own: measuring many columns takes its time
        QTimer.singleShot(0, self, self._fit_columns)

    def _fit_columns(self) -> None:
        self.table.resizeColumnsToContents()
        for column in range(self.model.columnCount()):
            if self.table.columnWidth(column) > _WIDEST:
                self.table.setColumnWidth(column, _WIDEST)
        self._fit_headers()

    def _fit_headers(self) -> None:
        """Widen columns whose header has become bold or longer."""
        for column in range(self.model.columnCount()):
            wanted = self.table.horizontalHeader().sectionSizeHint(column) + _HEADER_PADDING
            if self.table.columnWidth(column) < wanted:
                self.table.setColumnWidth(column, wanted)

    def _focus_first_open(self) -> None:
        editors = {**self.form.boxes, "unit": self.form.unit, "zone": self.form.zone}
        still_open = self.form.choices.still_open
        (editors[still_open[0]] if still_open else self.load).setFocus()

    # every change

    @Slot()
    def _on_changed(self) -> None:
        choices, words = self.form.choices, part_words()
        uses: dict[str, list[str]] = {}
        for part, column in choices.columns.items():
            if column:
                uses.setdefault(column, []).append(words[part])
        self.model.set_uses({column: ", ".join(parts) for column, parts in uses.items()})
        self._fit_headers()
        self.check.show_open(choices)
        self.message.clear()
        self._checking.drop()
        self._set_busy(False)
        self._try(choices)

    def _try(self, choices: Choices) -> None:
        preview, upper_bound = self._preview, self._upper_bound()
        if preview is None or upper_bound is None:
            return
        # without a unit the rows can be judged by all but the value
        rules = (
            dataclasses.replace(choices, unit=choices.unit or "none").rules(upper_bound)
            if all(choices.columns.values())
            else None
        )

        def work(_: Progress) -> _Tried:
            zone = suggested_zone(preview, choices.time) if choices.time else ""
            trial = try_mapping(preview, rules) if rules else None
            return _Tried(choices=choices, zone=zone, trial=trial)

        self._trying.start(work)

    @Slot(object)
    def _on_tried(self, tried: _Tried) -> None:
        if tried.trial is None:
            self.check.clear(self.tr("The check starts when every column is chosen."))
        else:
            self.check.show_trial(tried.trial, tried.choices)
        self.check.show_open(self.form.choices)
        self.form.suggest_zone(tried.zone)

    def _upper_bound(self) -> int | None:
        try:
            return self.form.upper_bound
        except HexveilError as error:
            self.message.show_error(error)
            return None

    # the end

    @Slot()
    def _check(self) -> None:
        """Look into all files for the mapped columns, then accept."""
        choices, upper_bound, preview = self.form.choices, self._upper_bound(), self._preview
        if choices.still_open or upper_bound is None or preview is None:
            return
        rules = choices.rules(upper_bound)
        first, *others = self._paths
        self.message.clear()
        self._set_busy(True)

        def work(progress: Progress) -> ReadingRules:
            require_columns(rules.mapping.columns, preview.columns, first)
            require_shape(others, rules, progress)
            return rules

        self._checking.start(work)

    @Slot(object)
    def _on_checked(self, rules: ReadingRules) -> None:
        self._source = DataSource(files=self._paths, rules=rules)
        self.accept()

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self.message.show_error(error)
        if self._preview is None:
            self.check.clear(self.tr("Nothing to check."))
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        ready = self._preview is not None and not self.form.choices.still_open
        self.load.setEnabled(ready and not busy)
        self.load.setText(self.tr("Checking…") if busy else self.tr("&Load"))

    def done(self, result: int) -> None:
        """Close; nobody wants the jobs' results any more."""
        for job in (self._opening, self._trying, self._checking):
            job.drop()
        super().done(result)
