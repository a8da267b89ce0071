"""Step *Data*: open or drop files, the sample of made-up buses; rows not used, what to write otherwise.

The message bar shows failures of loads that this page started, and of files it was given. Whatever
else `Session.failed` tells is the main window's to show: it is not about the files.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from core.assist.known_mappings import FileShape, remember
from core.assist.load_doubts import doubts_of_load
from core.assist.unread_cells import UnreadCells, unread_cells
from core.clean.ingest_report import MANY_UNUSED, IngestReport, unused_share
from core.contributions.file_facts import TableFacts
from core.draft.draft import DataSource, Draft
from core.errors import InputError
from core.privacy import Relation
from core.progress import Progress
from core.read.reader_registry import all_readers
from core.release.loaded_table import LoadedTable
from core.spec.table_rules import rules_of_table
from core.system.paths import resources
from ui.data.cache_box import CacheBox
from ui.data.data_files import (
    SAMPLE,
    ChosenData,
    chosen_data,
    files_in,
    may_be_table,
    patterns,
    sample_project,
)
from ui.data.fact_card import breakable
from ui.data.import_dialog import ImportDialog
from ui.data.ingest_report import ReportCard, files_text
from ui.data.load_progress import LoadProgress
from ui.data.recent_files import RecentFiles
from ui.data.same_vehicles import SameVehiclesDialog
from ui.data.table_card import TableCard
from ui.data.table_passphrase import TablePassphraseDialog
from ui.data.table_speeds import TableSpeedsQuestion
from ui.kit.buttons import push_button
from ui.kit.drop_area import DropArea
from ui.kit.labels import label, set_look
from ui.kit.message_bar import Message, MessageBar
from ui.kit.stage import Stage
from ui.language.translation import core_text, percent, translator
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scrolling
from ui.layout.tab_order import focus_first
from ui.session.loaded_data import LoadedData
from ui.session.session import Session
from ui.session.settings import Settings
from ui.session.table_passphrases import PassphraseRequest

_FOLDER = "data"
_NARROWEST = 260
_tr = translator("DataPage")


def unused_message(share: float, unread: UnreadCells | None = None) -> Message:
    """share: of the rows, 0..1; unread: why, once it is known."""
    what = _tr("{share} of the rows are not used.").format(share=percent(share))
    if unread is None:
        return Message(what=what, mend=_tr("See below what was changed or dropped."))
    where = _tr("From {file} on, {column} cannot be read; its cells look like {shape}.").format(
        column=unread.column, file=unread.file, shape=unread.shape
    )
    if unread.other_mark:
        mend = _tr(
            "The decimal mark changes there. Open the files again and choose “either” as decimal mark "
            "under File format."
        )
    else:
        mend = _tr("Write these cells like the others or choose another column, then open the files again.")
    return Message(what=what, where=where, mend=mend)


class DataPage(QWidget):
    """Loads through the session; until a load succeeds, everything stays as it was."""

    sample_opened = Signal()
    """The bundled sample and its draft are what the window works on."""
    dropped = Signal(object)
    """Paths, whatever lies there: records, a bundle, a project, a layer."""
    parameters_wanted = Signal()

    def __init__(
        self,
        session: Session,
        parent: QWidget | None = None,
        *,
        keep_first: Callable[[Callable[[], None]], None] = lambda then: then(),
    ) -> None:
        """keep_first: runs what takes the place of unsaved work, once that is saved or given up."""
        super().__init__(parent)
        self._session = session
        self._keep_first = keep_first
        self._settings = Settings(session.home)
        self._dialog: ImportDialog | None = None
        self._question: SameVehiclesDialog | TableSpeedsQuestion | None = None
        self._loading = False
        self.passphrase_dialog: TablePassphraseDialog | None = None
        """The last one that was opened."""
        session.table_passphrases.wanted.connect(self._ask_passphrase)
        self._asked: tuple[DataSource, FileShape | None] | None = None
        """What is being loaded, with the shape of files that a person has said how to read."""
        self._remembering = Stage(self, failed=session.failed)
        self._explaining = Stage(self, self._on_explained)
        self._report: ReportCard | TableCard | None = None
        self.setAcceptDrops(True)
        self._build()
        self._finding = Stage(
            self, self._on_found, failed=self.message.show_error, stopped=self.message.clear
        )
        session.data_changed.connect(self._on_data)
        session.load_failed.connect(self._on_failed)
        session.busy_changed.connect(self._on_busy)
        session.progressed.connect(self._on_progress)
        self.recent.show_files(self._settings.recent_files)
        self._show_state()

    # the parts

    def _build(self) -> None:
        self.message = MessageBar(self)
        self.open_button = push_button(self.tr("&Open files…"), self, self.ask_files, look="primary")
        self.sample_button = QPushButton(self.tr("Open sa&mple"), self)
        self.sample_button.setToolTip(self.tr("Made-up buses in Surat, one week: nobody's data"))
        self.sample_button.clicked.connect(lambda: self._keep_first(self.open_sample))
        buttons = in_row(None, (self.open_button, 1), (self.sample_button, 1))
        content = QWidget(self)
        # a long word in a message must not make all the page wider than its column
        content.setMinimumWidth(_NARROWEST)
        self._drop = DropArea(
            self.tr("Drop records here"),
            self.tr(
                "Positions and speeds of vehicles: CSV, JSON, Parquet, GTFS-realtime, Excel or a folder; "
                "or a contribution table"
            ),
            self,
        )
        self._column = in_column(content, self._drop, buttons, margins=(0, 0, 6, 0), spacing=10)
        self._welcome = label(
            self.tr(
                "Nothing leaves this computer. No records at hand? The sample is a made-up week of buses."
            ),
            "muted",
            self,
        )
        self.progress = LoadProgress(self)
        self.progress.stop_button.clicked.connect(self._session.cancel)
        self.recent = RecentFiles(self)
        self.recent.wanted.connect(self.open_paths)
        self.cache = CacheBox(self._session, self._settings, self)
        for part in (self._welcome, self.message, self.progress, self.recent, self.cache):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.go_on = push_button(self.tr("Go to Pa&rameters"), self, self.parameters_wanted, look="primary")
        area = scrolling(content, self)
        # what comes next is seen however low the window is
        in_column(self, (area, 1), self.go_on, margins=(0, 0, 0, 8), spacing=6)

    # what a person asks for

    def begin(self) -> None:
        """The keyboard goes to what can be done first."""
        focus_first(self.open_button, self.progress.stop_button)

    def ask_files(self) -> None:
        """Ask for files, then how to read them (also the menu's Open)."""
        folder = self._settings.folder_for(_FOLDER)
        titles = ", ".join(core_text(reader.title) for reader in all_readers())
        names, _ = QFileDialog.getOpenFileNames(
            self,
            self.tr("Open records"),
            str(folder),
            self.tr("Records: {kinds}").format(kinds=f"{titles} ({patterns()})")
            + ";;"
            + self.tr("All files")
            + " (*)",
        )
        if names:
            self.open_paths([Path(name) for name in names])

    def ask_folder(self) -> None:
        """Ask for a folder of files, then how to read them (also the menu's Open folder)."""
        folder = self._settings.folder_for(_FOLDER)
        if name := QFileDialog.getExistingDirectory(self, self.tr("Open a folder"), str(folder)):
            self.open_paths([Path(name)])

    def open_sample(self) -> None:
        """Load the bundled sample immediately."""
        if self._is_occupied():
            return
        try:
            draft, source = sample_project()
        except InputError as error:
            self.message.show_error(error)
            return
        self._load(source, draft)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Ask how to read these files and folders, wherever they were dropped, then load them."""
        if self._is_occupied():
            return
        if any(may_be_table(path) for path in paths):  # perhaps very many files, or one to be looked into
            self.message.show_message(Message(what=self.tr("Looking for files…")), look="good")
            passphrases = self._session.table_passphrases

            def work(progress: Progress) -> ChosenData:
                return passphrases.with_passphrase(
                    lambda passphrase: chosen_data(paths, passphrase, progress), progress
                )

            self._finding.start(work, what=self.tr("Looking for files…"))
            return
        try:
            files = files_in(paths)
        except InputError as error:
            self.message.show_error(error)
            return
        self._ask_how(files)

    def _on_found(self, found: ChosenData) -> None:
        if self._is_occupied():
            return
        if found.offer is None:
            self._ask_how(found.files)
        else:
            self._open_table(found.files, found.offer.facts)

    def _ask_passphrase(self, request: PassphraseRequest) -> None:
        """Of an encrypted table, however it is opened: a drop, a project, a spec; a worker waits for it."""
        self.passphrase_dialog = TablePassphraseDialog(request, self.window())
        self.passphrase_dialog.open()

    def _open_table(self, files: tuple[Path, ...], facts: TableFacts) -> None:
        """A table has decided how it is read, unless it keeps silent on where its speeds come from."""
        self.message.clear()
        self._settings.set_last_folder(_FOLDER, files[0].parent)
        rules = rules_of_table(facts)
        if facts.derived is not None:
            self._ask_whose(DataSource(files=files, rules=rules, table=True), None)
            return
        question = TableSpeedsQuestion(files[0].name, self.window())
        self._question = question

        def answered(_: int) -> None:
            self._question = None
            if question.derived is not None:
                source = DataSource(files=files, rules=rules, table=True, derived_in_table=question.derived)
                self._ask_whose(source, None)

        question.finished.connect(answered)
        question.open()

    def _ask_how(self, files: tuple[Path, ...]) -> None:
        self.message.clear()
        self._settings.set_last_folder(_FOLDER, files[0].parent)
        known_file = self._session.home.known_mappings
        typed = self._session.draft.relation is Relation.USER
        self._dialog = ImportDialog(files, self.window(), known_file=known_file, typed=typed)
        self._dialog.finished.connect(self._on_dialog)
        self._dialog.open()

    @property
    def dialog(self) -> ImportDialog | None:
        """The import dialog while it is open."""
        return self._dialog

    def _is_occupied(self) -> bool:
        """One load at a time: a second one is refused, and the page tells why."""
        if self._loading:
            text = self.tr("A load is under way.")
            mend = self.tr("Wait for its end or stop it, then open the other files.")
            self.message.show_message(Message(what=text, mend=mend), look="warning")
        return self._loading or self._dialog is not None or self._question is not None

    def _on_dialog(self, result: int) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is None:
            return
        if result == ImportDialog.DialogCode.Accepted:
            if dialog.note:
                self._session.noted.emit(dialog.note)
            self._ask_whose(dialog.source, dialog.shape)
        dialog.deleteLater()

    def _ask_whose(self, source: DataSource, shape: FileShape | None) -> None:
        """Ask whether the chosen population is that of these records too, then load them."""
        draft = self._session.draft
        if not self._session.has_data or not draft.population:
            self._load(source, shape=shape)
            return
        typed = draft.relation is Relation.USER or source.table
        question = SameVehiclesDialog(draft.population, typed=typed, parent=self.window())
        self._question = question

        def answered(result: int) -> None:
            self._question = None
            if result == SameVehiclesDialog.DialogCode.Accepted:
                self._load(source, shape=shape, same_vehicles=question.same)
            else:
                self._remember(source, shape)

        question.finished.connect(answered)
        question.open()

    @property
    def question(self) -> SameVehiclesDialog | TableSpeedsQuestion | None:
        """Whether these are the same vehicles, or were measured, while it is asked."""
        return self._question

    def _load(
        self,
        source: DataSource,
        draft: Draft | None = None,
        *,
        shape: FileShape | None = None,
        same_vehicles: bool = False,
    ) -> None:
        """draft: choices that come with the files; shape: of files that a person has said how to read."""
        self.message.clear()
        self._explaining.drop()
        self._loading = True
        self._asked = (source, shape)
        self.progress.begin(self.tr("Loading {files}").format(files=breakable(files_text(source))))
        self._show_state()
        self._session.load(source, draft, same_vehicles=same_vehicles)

    # what the session tells

    def _on_data(self) -> None:
        self._loading = False
        self.message.clear()
        source, data = self._session.source, self._session.open_data
        if source is not None and data is not None:
            # a project may hold the sample as well: what it opened was not asked for here
            if source.files == (resources() / SAMPLE,) and self._asked and self._asked[0] is source:
                self.sample_opened.emit()
            if source.files != (resources() / SAMPLE,):
                self._settings.add_recent(source.files)
                self.recent.show_files(self._settings.recent_files)
                self._remember_asked()
            self._show_report(source, data)
        self._show_state()

    def _remember_asked(self) -> None:
        """Keep the mapping of a load that ended well, or that was stopped: it was none the worse for that."""
        asked, self._asked = self._asked, None
        if asked is not None:
            self._remember(*asked)

    def _remember(self, source: DataSource, shape: FileShape | None) -> None:
        """Keep a mapping for files of the same shape; a load that ended well stays well if that fails."""
        if shape is None:
            return
        home, rules, today = self._session.home, source.rules, dt.datetime.now().astimezone().date()

        def work(_: Progress) -> None:
            home.create()
            remember(home.known_mappings, shape, rules, today)

        self._remembering.start(work)

    def _show_report(self, source: DataSource, data: LoadedData) -> None:
        if self._report is not None:
            self._column.removeWidget(self._report)
            self._report.hide()
            self._report.deleteLater()
        if isinstance(data, LoadedTable):
            self._report = TableCard(data, self)
        else:
            self._report = ReportCard(data.report, source, self)
            self._tell_unused(data.report, source)
            if self._session.draft.relation is not Relation.USER:
                doubting = Stage(self._report, self._report.show_doubts)  # ends with the report
                doubting.start(lambda _: doubts_of_load(source.files, source.rules, data))
        self._column.insertWidget(self._column.indexOf(self.recent), self._report)
        self._report.show()

    def _tell_unused(self, report: IngestReport, source: DataSource) -> None:
        """First that many rows are of no use; why, when the files have been looked into once more."""
        share = unused_share(report, source.rules)
        if share < MANY_UNUSED:
            return
        self.message.show_message(unused_message(share), look="warning")
        if report.dropped.get("unparsable", 0) < MANY_UNUSED * report.rows_read:
            return
        self._explaining.start(
            lambda progress: unread_cells(source.files, source.rules, progress),
            what=self.tr("Looking for what could not be read…"),
        )

    def _on_explained(self, unread: UnreadCells | None) -> None:
        source, data = self._session.source, self._session.open_data
        if source is None or data is None or isinstance(data, LoadedTable):
            return
        share = unused_share(data.report, source.rules)
        self.message.show_message(unused_message(share, unread), look="warning")

    def _on_failed(self, error: object) -> None:
        if self._loading:
            self._loading, self._asked = False, None
            self.message.show_error(error)
            self._show_state()

    def _on_busy(self, busy: bool) -> None:
        # the end of a load that was stopped is shown by nothing else
        if self._loading and not busy:
            self._loading = False
            self._remember_asked()
            self._show_state()

    def _on_progress(self, done: float, text: str) -> None:
        if self._loading:
            self.progress.show_done(done, text)

    # what is shown

    def _show_state(self) -> None:
        # what hides or is disabled with the focus hands it on, as far down as the last field of the page
        data = self.focusWidget()
        if self._loading and data in (self.open_button, self.sample_button, self.recent.list):
            self.progress.show()
            self.progress.stop_button.setFocus()
        elif not self._loading and data is self.progress.stop_button:
            self.open_button.setEnabled(True)
            self.open_button.setFocus()
        self.progress.setVisible(self._loading)
        for part in (self._drop, self._welcome):
            part.setVisible(not self._session.has_data and not self._loading)
        for widget in (self.open_button, self.sample_button, self.recent.list):
            widget.setEnabled(not self._loading)
        has_next = self._session.has_data and not self._loading
        self.go_on.setVisible(has_next)
        set_look(self.open_button, "" if has_next else "primary")

    # drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if dropped_paths(event.mimeData()) and not self._loading:
            self._drop.set_hovered(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        self._drop.set_hovered(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        self._drop.set_hovered(False)
        event.acceptProposedAction()
        self.dropped.emit(dropped_paths(event.mimeData()))


def dropped_paths(data: QMimeData) -> list[Path]:
    """The local files and folders that a drop brings; empty when it is something else."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
