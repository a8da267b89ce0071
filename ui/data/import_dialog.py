"""The import dialog: rows, mapping, map and check put together, and a trial on the first rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from core.assist.coordinate_order import box_around
from core.assist.format_options import options_of
from core.assist.header_problems import HeaderProblem
from core.assist.known_mappings import FileShape, KnownMapping
from core.assist.mapping_trial import Trial
from core.assist.number_date_notation import Evidence
from core.assist.reading_choices import Choices
from core.assist.suggested_choices import read_contents, without_proposals
from core.clean.mapping import ReadingRules
from core.draft.draft import DataSource
from core.errors import HexveilError, InternalError
from core.read.file_batches import DamagedFiles
from core.read.file_format import AS_FOUND, FileFormat
from ui.data.check_panel import CheckPanel
from ui.data.file_opening import FileOpening
from ui.data.format_group import GUESSED
from ui.data.import_jobs import (
    FileKind,
    Lines,
    PreviewedFile,
    TriedChoices,
    require_mapped_columns,
    try_choices,
)
from ui.data.import_texts import blocked_text, dialog_title, dropped_note, unusable_text
from ui.data.known_mapping_note import KnownMappingNote
from ui.data.map_panel import MapPanel
from ui.data.mapping_form import MappingForm
from ui.data.part_names import part_names
from ui.data.preview_table import PreviewTable
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.kit.message_bar import MessageBar
from ui.kit.stage import Stage
from ui.layout.boxes import in_row
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import first_size

_BETWEEN = 12
"""Pixels from one column to the next."""
_LEAST_CHECK = 320
"""Height of what is found above the map: a few rows of it."""
_LEAST = QSize(1290, 690)
_MOST = QSize(1640, 960)
_BESIDE = QSize(60, 60)
"""Of the window that stays visible around the dialog."""


class OpenLine(QWidget):
    """It is visible on every screen: the form and the check of the rows may have to be scrolled to."""

    wanted = Signal()
    """What does not fit or is still to choose is to be shown: it may lie further down than the form shows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notice = label(look="warning", parent=self)
        self._notice.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._notice.hide()
        self.go = QPushButton(self.tr("Go the&re"), self, autoDefault=False)
        self.go.clicked.connect(self.wanted)
        self.go.hide()
        in_row(self, (self._notice, 1), (self.go, 0, Qt.AlignmentFlag.AlignBottom), spacing=12)

    @property
    def text(self) -> str:
        """What is shown; empty where nothing is in the way."""
        return self._notice.text()

    def show_open(
        self,
        choices: Choices,
        problems: Sequence[HeaderProblem] = (),
        problem: str = "",
        trial: Trial | None = None,
        *,
        doubtful: bool = False,
    ) -> bool:
        """Tell what stands in the way of a load; whether anything does.

        doubtful: positions may be wrong, which only who looks at the map can tell; it may be out of sight.
        """
        words = part_names()
        # what does not fit together is shown as the problem that it is
        shown_elsewhere = set() if choices.units else {"unit"}
        if problem:
            shown_elsewhere.add("quantity")
        still_open = [part for part in choices.still_open if part not in shown_elsewhere]
        parts = ", ".join(words[part] for part in still_open)
        texts = [self.tr("! Still to choose: {parts}").format(parts=parts)] if parts else []
        blocked = blocked_text(problems, set(choices.columns.values()))
        unusable = "" if parts or trial is None else unusable_text(trial, choices.box)
        texts += [text for text in (problem, blocked, unusable) if text]
        doubts = [self.tr("! Positions may be wrong: look at the map.")] if doubtful and not texts else []
        self._notice.setText("\n".join(texts + doubts))
        self._notice.setVisible(bool(texts or doubts))
        self.go.setVisible(bool(parts or problem or doubts))
        return bool(texts)


class ImportDialog(QDialog):
    """Asks how files are read. Accepted only with a complete `source`."""

    def __init__(
        self,
        paths: Sequence[Path],
        parent: QWidget | None = None,
        *,
        known_file: Path | None = None,
        typed: bool = False,
    ) -> None:
        """known_file: where mappings of earlier loads are stored. typed: relation user, where the names of
        columns alone propose anything.
        """
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import records"))
        self.resize(self._fitting_size())
        self._paths = tuple(paths)
        self._opened: PreviewedFile | None = None
        self._trial: Trial | None = None
        self._source: DataSource | None = None
        self._typed, self._kind = typed, ""
        self._opening = FileOpening(self._paths, None if typed else known_file, self, typed=typed)
        self._trying = Stage(self, self._on_tried, failed=self._on_failed)
        self._checking = Stage(self, self._on_checked, failed=self._on_failed)
        self._opening.looked.connect(self._on_looked)
        self._opening.lines.connect(self._on_lines)
        self._opening.opened.connect(self._on_opened)
        self._opening.failed.connect(self._on_failed)
        self._build_top()
        self._build_form()
        self._build_check()
        self._build_end()

    @property
    def source(self) -> DataSource:
        """What to load; there once the dialog was accepted."""
        if self._source is None:
            raise InternalError("the dialog was not accepted")
        return self._source

    @property
    def shape(self) -> FileShape:
        """The shape of the first file; there once it was read."""
        if self._opened is None:
            raise InternalError("no file was read")
        return self._opened.shape

    @property
    def note(self) -> str:
        """A line for the log: rows that would be dropped, by number, never their cells; empty without any."""
        trial = self._trial
        if trial is None or not trial.dropped or not self.preview.shows_first_rows:
            return ""
        return dropped_note(self.preview.name, trial, self.form.choices.box)

    @property
    def busy(self) -> bool:
        """Rows are being read or judged."""
        return self.preview.busy or self._opening.busy or self._trying.running or self._checking.running

    # the parts

    def _fitting_size(self) -> QSize:
        """The room that its window has."""
        parent = self.parentWidget()
        room = parent.window().size() - _BESIDE if parent else _LEAST
        return first_size(self.screen().availableSize(), room.expandedTo(_LEAST).boundedTo(_MOST))

    def _build_top(self) -> None:
        # on a small screen all but the buttons is scrolled to
        self._area = area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = QWidget(area.viewport())
        self.message = MessageBar(self._content)
        self.known = KnownMappingNote(self._content)
        self.known.chosen.connect(self._on_known)
        self.preview = PreviewTable(self._paths, self._content)
        self.preview.shown_changed.connect(self._on_changed)
        self.preview.failed.connect(self._on_failed)
        self.model, self.table = self.preview.model, self.preview.table
        self._lower = QHBoxLayout()
        self._lower.setSpacing(_BETWEEN)
        self._found = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._found.setSpacing(_BETWEEN)
        self._outer = outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 12, 16, 12)
        outer.setSpacing(8)
        outer.addWidget(area, 1)
        layout = QVBoxLayout(self._content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label(dialog_title(self._paths), "heading", self._content))
        layout.addWidget(self.message)
        layout.addWidget(self.known)
        layout.addWidget(self.preview, 4)
        layout.addLayout(self._lower, 9)
        area.setWidget(self._content)

    def _build_form(self) -> None:
        self.form_area = scrolling(parent=self._content)
        # born where it stays: a change of parent polishes every widget anew
        self.form = MappingForm(self.form_area.viewport())
        self.form_area.setWidget(self.form)
        self._lower.addWidget(self.form_area, 15)
        # its lists and fields are never cut
        bar = self.form_area.verticalScrollBar().sizeHint().width()
        self.form_area.setMinimumWidth(self.form.minimumSizeHint().width() + bar)
        self._enable_form(False)
        self.form.grid.offer_pings(not self._typed)
        self.form.changed.connect(self._on_changed)
        self.form.reread.connect(self._on_reread)
        self.form.limits.box.wanted.connect(self._on_box_wanted)

    def _build_check(self) -> None:
        self.check = CheckPanel(self._content)
        self.map = MapPanel(self._content, proposes=not self._typed)
        self.map.swap_asked.connect(self.form.grid.swap)
        self._found.addWidget(self.check, 14)
        self._found.addWidget(self.map, 9)
        self._lower.addLayout(self._found, 23)
        self._content.installEventFilter(self)
        self._fit_found()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        # a column may need more room than when the dialog got its size
        if event.type() is QEvent.Type.LayoutRequest and watched is self._content:
            self._fit_found()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        if self._found.count():
            self._fit_found()

    def _fit_found(self) -> None:
        """The map stands below what is found where three columns would have to be scrolled to."""
        widest = (part.minimumSizeHint().width() for part in (self.check, self.map))
        least = self.form_area.minimumWidth() + sum(widest) + 2 * _BETWEEN
        # with the visible bar that scrolls up and down
        beside = least <= self._area.width() - self._area.verticalScrollBar().sizeHint().width()
        self._found.setDirection(
            QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        )
        self.check.setMinimumHeight(0 if beside else _LEAST_CHECK)

    def _build_end(self) -> None:
        self.open_line = OpenLine(self)
        self.open_line.wanted.connect(self._show_first_open)
        foot = QHBoxLayout()
        foot.setSpacing(_BETWEEN)
        foot.addWidget(self.open_line, 1)
        foot.addWidget(self._make_buttons(), 0, Qt.AlignmentFlag.AlignBottom)
        self._outer.addLayout(foot)
        self._open(FileFormat())

    def _make_buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._cancel = box.button(QDialogButtonBox.StandardButton.Cancel)
        self.load = push_button(self.tr("&Load"), self, look="primary")
        self.load.setEnabled(False)
        box.addButton(self.load, QDialogButtonBox.ButtonRole.ActionRole)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self.load.clicked.connect(self._check)
        box.rejected.connect(self.reject)
        return box

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Return presses the button that has the keyboard; in an editor it takes over what was typed."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif isinstance(button := self.focusWidget(), QPushButton):
            button.click()

    def _enable_form(self, enabled: bool) -> None:
        """While no row is read, only the file's format can be chosen."""
        self.form.grid.setEnabled(enabled)
        self.form.limits.setEnabled(enabled)

    # the first rows

    def _open(self, file_format: FileFormat) -> None:
        if self._opened is None:
            self.check.clear(self.tr("Reading the first rows…"))
        self._opening.start(file_format)

    def _on_looked(self, looked: FileKind) -> None:
        self._kind = looked.kind
        self.preview.name = looked.path.name
        several = len(self._paths) > 1 or looked.path != self._paths[0]
        self.form.format.offer_skipping(several and not self._typed)
        self.form.format.set_kind(looked.kind)
        self.form.format.set_encodings(looked.encodings)
        self.form.format.set_sheets(looked.sheets)

    def _on_lines(self, read: Lines) -> None:
        self.form.format.set_lines(read.lines)
        self.form.mark_open()

    def _on_opened(self, opened: PreviewedFile) -> None:
        before, self._opened = self._opened, opened
        again = before is not None and before.preview.columns == opened.preview.columns
        self._enable_form(True)
        self.check.show_headers(opened.problems, opened.preview.notes)
        self.preview.show_file(opened.preview, opened.file_format)
        if again:
            self._on_changed()
            return
        self.form.grid.offer(opened.preview.columns, opened.zones, opened.cities)
        self.form.named.offer(opened.preview.columns)
        self.known.show_known(opened.known)
        self._on_known(opened.known)
        self._focus_first_open()

    def _on_known(self, known: KnownMapping | None) -> None:
        if self._opened is None:
            return
        if known:
            self._use(known)
        else:
            self._guess()

    def _use(self, known: KnownMapping) -> None:
        assert self._opened is not None
        reason = self.tr("as on {date}").format(date=known.saved)
        choices = self._opened.in_form(known.choices)
        contents = read_contents(self._opened.preview, choices, self._opened.spread)
        self.form.show_choices(choices, dict.fromkeys((*part_names(), "pings"), reason), contents, own=True)

    def _guess(self) -> None:
        opened = self._opened
        assert opened is not None
        choices = opened.in_form(opened.suggestion.choices)
        contents = self._proposals(read_contents(opened.preview, choices, opened.spread))
        self.form.show_choices(choices, opened.suggestion.reasons, contents)

    def _proposals(self, contents: dict[str, Evidence]) -> dict[str, Evidence]:
        """None of them where all is typed, whatever the cells hold."""
        if not self._typed:
            return contents
        return without_proposals(contents, has_marks="decimal" in options_of(self._kind))

    def _focus_first_open(self) -> None:
        still_open = self.form.choices.still_open
        (self.form.editor(still_open[0]) if still_open else self.load).setFocus()

    def _show_first_open(self) -> None:
        """Scroll to it too, or to what does not fit; when the dialog opens, the form is read from its top."""
        self._focus_first_open()
        if not self.form.choices.still_open and self.map.advises:
            self.map.swap.setFocus()
        if faulty := self.form.faulty:
            faulty.setFocus()
        editor = self.focusWidget()
        if self.form.format.isAncestorOf(editor):
            self.form.format.unfold()
        # in a later turn: unfolded options have to be laid out first
        QTimer.singleShot(0, self, lambda: self._scroll_to(editor))

    def _scroll_to(self, editor: QWidget) -> None:
        self.form_area.ensureWidgetVisible(editor)
        self._area.ensureWidgetVisible(editor)  # on a small screen the form itself is partly below

    # every change

    def _on_reread(self) -> None:
        """The rows are read anew with the format that is chosen."""
        self.message.clear()
        self._checking.drop()
        try:
            chosen = self.form.choices.file_format
        except HexveilError as error:
            self.message.show_error(error)
            return
        self._open(dataclasses.replace(chosen, decimal=AS_FOUND.decimal, date_order=AS_FOUND.date_order))

    def _on_changed(self) -> None:
        choices, words = self.form.choices, part_names()
        uses: dict[str, list[str]] = {}
        for part, column in choices.columns.items():
            if column:
                uses.setdefault(column, []).append(words[part])
        self.model.set_uses({column: ", ".join(parts) for column, parts in uses.items()})
        self.preview.fit_headers()
        self.message.clear()
        self._checking.drop()
        self._set_busy(False)
        self._try(choices)

    def _try(self, choices: Choices) -> None:
        opened, shown, upper_bound = self._opened, self.preview.shown, self._upper_bound()
        if opened is None or shown is None or upper_bound is None:
            return
        first, spread = opened.preview, opened.spread
        path = None if self._typed else opened.path
        self._trying.start(
            lambda _: try_choices(first, shown, choices, upper_bound, spread, path),
            what=self.tr("Trying this on the first rows…"),
        )

    def _on_tried(self, tried: TriedChoices) -> None:
        self._trial = tried.trial
        if tried.coordinates is None:
            self.map.clear()
        else:
            self.map.show_check(tried.coordinates)
        # until it is known what is a number or a time, no row is usable or not
        unread = [part for part in tried.choices.still_open if part in GUESSED]
        if tried.trial is None:
            self.check.clear(self.tr("Choose all columns to see a check."))
        elif unread:
            self.check.show_waiting(unread)
        else:
            self.check.show_trial(tried.trial, tried.choices, see_map=self.map.advises)
        drawn = bool(tried.coordinates and tried.coordinates.drawn)
        self.form.limits.box.from_points.setEnabled(drawn and not self._typed)
        self.form.grid.zone.propose(() if self._typed else tried.near)
        self.check.tell_readings(tried.readings)
        self.form.tell(self._proposals(tried.contents))
        self._set_busy(False)

    def _on_box_wanted(self) -> None:
        box = box_around(self.map.check) if self.map.check else None
        if box is not None:
            self.form.limits.box.take(box)

    def _upper_bound(self) -> int | None:
        try:
            return self.form.upper_bound
        except HexveilError as error:
            self.message.show_error(error)
            return None

    # the end

    @property
    def _is_ready(self) -> bool:
        opened = self._opened
        return opened is not None and not self.open_line.show_open(
            # in relation user what cannot be used is loaded as nothing
            self.form.choices,
            opened.problems,
            self.form.problem,
            None if self._typed else self._trial,
            doubtful=self.map.advises,
        )

    def _check(self) -> None:
        """Look into all files for the mapped columns, then accept."""
        choices, upper_bound, opened = self.form.choices, self._upper_bound(), self._opened
        if upper_bound is None or opened is None or not self._is_ready:
            return
        rules, paths, columns = choices.rules(upper_bound), self._paths, opened.preview.columns
        typed = self._typed
        self.message.clear()
        self._set_busy(True)
        self._checking.start(
            lambda progress: require_mapped_columns(paths, columns, rules, progress, empty_allowed=typed)
        )

    def _on_checked(self, rules: ReadingRules) -> None:
        self._source = DataSource(files=self._paths, rules=rules, proposed=not self._typed)
        self.accept()

    def _on_failed(self, error: object) -> None:
        self.message.show_error(error)
        if isinstance(error, DamagedFiles):
            self.form.format.unfold()
        if self._opened is None:
            self.check.clear(self.tr("Nothing to check."))
            self.map.clear(no_rows=True)
            # what may mend it has the keyboard, else what leaves: there are no rows to go through
            (self._cancel if self.form.format.isHidden() else self.form.format.fold).setFocus()
            self.form.format.unfold()
            # in a later turn: the unfolded options have to be laid out first
            QTimer.singleShot(0, self, lambda: self.form_area.ensureWidgetVisible(self.form.format))
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        self.load.setEnabled(self._is_ready and not busy)
        self.load.setText(self.tr("Checking…") if busy else self.tr("&Load"))

    def done(self, result: int) -> None:
        """Close; nobody wants the jobs' results any more."""
        for job in (self._opening, self._trying, self._checking):
            job.drop()
        self.preview.drop()
        super().done(result)
