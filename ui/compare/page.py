"""The place *Compare* and its tips: bundles dropped, rows that rose or fell, tables exported."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from core.keys.signing_key import PUBLIC_SUFFIX
from core.progress import Progress
from core.published.comparison import Comparison, compare
from core.published.frame_files import ENDINGS, write_frame
from core.verify.packed_source import is_packed
from ui.compare.bundle_list import BundleList
from ui.compare.change_table import ChangeTableModel, ChangeTableView
from ui.compare.change_words import changes_in_words
from ui.compare.comparison_form import Chosen, ComparisonForm
from ui.compare.opened_bundles import OpenedBundle, check_bundles
from ui.kit.added_ending import unasked_replacement
from ui.kit.buttons import push_button
from ui.kit.cards import card, flowing
from ui.kit.empty_state import EmptyState
from ui.kit.jobs import Job
from ui.kit.labels import label, plain_label
from ui.kit.menu_sections import start_section
from ui.kit.message_bar import Message, MessageBar, message_of
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import counted, whole
from ui.layout.boxes import in_column, in_row
from ui.layout.chip_rows import ChipRows
from ui.layout.scroll_areas import scrolling
from ui.session.hat_texts import group_row
from ui.session.known_bundles import is_bundle, known_folders
from ui.session.session import Session
from ui.session.settings import Settings

_LEFT, _RIGHT = 340, 900
_OPEN_FOLDER, _EXPORT_FOLDER = "verify", "comparisons"
_LEAST_BUNDLES = 2


class ComparePage(QWidget):
    """As wide as the window. Nothing confidential comes here: it knows bundles alone. Emits `closed`."""

    closed = Signal()

    def __init__(self, session: Session, change_map: Any, parent: QWidget | None = None) -> None:
        """change_map: a widget of another room that shows changes, as `ui.map.change_map`."""
        super().__init__(parent)
        self._session = session
        self._settings = Settings(session.home)
        self._opened: dict[Path, OpenedBundle] = {}
        self._waiting: list[Path] = []
        self._checking: Job | None = None
        self.found: Comparison | None = None
        """What is shown; None while nothing is."""
        self.map = change_map
        self.job = Stage(self, self._show, failed=self._on_failed)
        self.exporting = Stage(self, self._on_exported, failed=self._on_failed)
        self.setAcceptDrops(True)
        self._build()
        self._renew()

    def _build(self) -> None:
        self.back = push_button(self.tr("← &Back to the steps"), self, self.closed)
        title = label(self.tr("Compare"), "title", self, wraps=False)
        hint = label(
            self.tr("Which changes between published bundles are larger than their noise."), "muted", self
        )
        hint.setWordWrap(False)
        head = QHBoxLayout()
        head.addWidget(self.back)
        head.addSpacing(8)
        head.addWidget(title)
        head.addWidget(hint, 1)
        parts = QSplitter(Qt.Orientation.Horizontal, self, handleWidth=8)
        parts.addWidget(scrolling(self._left()))
        parts.addWidget(self._right())
        parts.setStretchFactor(1, 1)
        parts.setSizes([_LEFT, _RIGHT])
        parts.setChildrenCollapsible(False)
        in_column(self, head, (parts, 1), margins=(12, 10, 12, 8))

    def _left(self) -> QWidget:
        left = QWidget(self)
        self.bundles = BundleList(left)
        self.bundles.remove_wanted.connect(self.remove_current)
        self.add = push_button(self.tr("&Add a bundle"), left, look="primary")
        self._menu = QMenu(self.add, toolTipsVisible=True)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.add.setMenu(self._menu)
        self.remove = push_button(self.tr("&Remove"), left, self.remove_current)
        buttons = in_row(None, (self.add, 1), self.remove)
        self.key = QLineEdit(left, placeholderText=self.tr("Publisher's key (optional)"))
        self.key.setAccessibleName(self.tr("Publisher's key"))
        self.key.setToolTip(self.tr("56 characters, or a .pub file, from the publisher's own site"))
        self.key.setClearButtonEnabled(True)
        self.key.editingFinished.connect(self._check_again)
        self._key_used = ""
        self.choices = ComparisonForm(left)
        self.choices.chosen.connect(self._compare)
        self.choices.label_chosen.connect(self._show_rows)
        self.message = MessageBar(left)
        self.summary = flowing(parent=left)
        self.export = QPushButton(self.tr("E&xport…"), left)
        self.export.setToolTip(self.tr("Every number and its change, as CSV, Excel or GeoParquet"))
        self.export.clicked.connect(self.ask_export)
        self._result = card(
            left, "card", flowing(self.tr("What has changed"), "heading", left), self.summary, self.export
        )
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 4, 0)
        column.addWidget(self.bundles, 1)
        column.addLayout(buttons)
        column.addWidget(self.key)
        column.addWidget(self.message)
        column.addWidget(self.choices)
        column.addWidget(self._result)
        column.addStretch()
        return left

    def _right(self) -> QWidget:
        self.empty = EmptyState(self)
        self.tabs = QTabWidget(self, documentMode=True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.map, self.tr("&Map"))
        self.tabs.addTab(self._table(), self.tr("&Table"))
        self.map.clicked.connect(self._on_cell)
        compared = QWidget(self)
        self.chips = ChipRows(compared)
        self.chips.pressed.connect(self._choose_label)
        self._labels: tuple[str, ...] = ()
        in_column(compared, self.chips, (self.tabs, 1), spacing=4)
        self._shown = QStackedWidget(self)
        self._shown.addWidget(self.empty)
        self._shown.addWidget(compared)
        self._compared = compared
        return self._shown

    def _table(self) -> QWidget:
        page = QWidget(self)
        self.model = ChangeTableModel(page)
        self.table = ChangeTableView(self.model, page)
        self.table.copy_wanted.connect(self.copy)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        caption = plain_label(self.tr("Filter"), page)
        self.filter = QLineEdit(page, placeholderText=self.tr("hexagon or slot"))
        self.filter.setAccessibleName(self.tr("Filter by hexagon or slot"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(280)
        caption.setBuddy(self.filter)
        self.changed_only = QCheckBox(self.tr("&Changed only"), page)
        self.changed_only.setToolTip(self.tr("Rows that rose or fell by more than the noise"))
        self.count = plain_label(parent=page)
        self.filter.textChanged.connect(self._filter)
        self.changed_only.toggled.connect(self._filter)
        row = in_row(None, caption, (self.filter, 1), self.changed_only, 1, self.count)
        in_column(page, row, (self.table, 1), margins=(0, 6, 0, 0))
        return page

    # the bundles

    @property
    def paths(self) -> tuple[Path, ...]:
        """Of the opened bundles, in the order in which they came."""
        return tuple(self._opened)

    @property
    def busy(self) -> bool:
        """Bundles are being checked, or compared."""
        return self._checking is not None or self.job.running

    def open_bundles(self, paths: Sequence[Path]) -> None:
        """Check these bundles in the background, and offer them."""
        new = [path.absolute() for path in paths if path.absolute() not in self._opened]
        self._opened |= {path: OpenedBundle(path=path) for path in new}
        self._waiting += [path for path in new if path not in self._waiting]
        self._renew()
        self._check_next()

    def remove_current(self) -> None:
        """Compare without the bundle that is chosen in the list."""
        current = self.bundles.current
        if current is not None:
            del self._opened[current]
            self.message.clear()
            self._renew()

    def _check_again(self) -> None:
        """With another key the answer may be another."""
        key = self.key.text().strip()
        if key != self._key_used:
            self._key_used = key
            paths, self._opened = self.paths, {}
            self.message.clear()
            self.open_bundles(paths)

    def _check_next(self) -> None:
        if self._checking is not None or not self._waiting:
            return
        paths, self._waiting = self._waiting, []
        own_key = self._settings.key_file.with_suffix(PUBLIC_SUFFIX)
        work = check_bundles(paths, self._key_used, own_key)
        self._checking = job = Job(work, what=self.tr("Checking the bundle…"), parent=self)
        job.succeeded.connect(partial(self._on_checked, self._key_used))
        job.failed.connect(self._on_failed)
        job.finished.connect(self._on_check_ended)
        job.start()

    def _on_checked(self, key: str, checked: Sequence[OpenedBundle]) -> None:
        if key != self._key_used:  # they wait to be checked with the newer key
            return
        for one in checked:
            if one.path in self._opened:
                self._opened[one.path] = one
                if one.error is not None:
                    self.message.show_error(one.error)
                else:
                    self._settings.add_recent_path("bundle", one.path)

    def _on_check_ended(self) -> None:
        self._checking = None
        self._renew()
        self._check_next()

    def _renew(self) -> None:
        """The list and what may be chosen follow the bundles."""
        opened = tuple(self._opened.values())
        self.bundles.show_bundles(opened)
        self.remove.setEnabled(bool(opened))
        self.choices.show_bundles([one.bundle for one in opened if one.bundle is not None])

    def _fill_menu(self) -> None:
        """A folder, the ledger's own bundles that are found, and recent ones."""
        menu = self._menu
        menu.clear()
        menu.addAction(self.tr("Choose a &folder…")).triggered.connect(self.ask_bundle)
        menu.addAction(self.tr("Choose &packed ones…")).triggered.connect(self.ask_packed)
        entries = (entry for one in self._session.ledger.populations for entry in one.entries)
        names = dict.fromkeys(name for entry in entries for name in entry.bundles)
        own = known_folders(self._settings, names)
        recent = (path for path in self._settings.recent("bundle") if is_bundle(path))
        for heading, paths in (
            (self.tr("In your ledger"), own),
            (self.tr("Recent"), tuple(path for path in recent if path not in own)),
        ):
            fresh = [path for path in paths if path.absolute() not in self._opened]
            if fresh:
                start_section(menu, heading)
            for path in fresh:
                action = menu.addAction(path.name.replace("&", "&&"))
                action.setToolTip(in_lines(str(path)))
                action.triggered.connect(partial(self._open_one, path))

    def _open_one(self, path: Path, *_: object) -> None:
        self.open_bundles([path])

    def ask_bundle(self) -> None:
        """Ask for a bundle's folder."""
        known = self._settings
        start = (
            known.last_folder(_OPEN_FOLDER) or known.last_folder("release") or known.folder_for(_OPEN_FOLDER)
        )
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Choose a bundle"), str(start))
        if chosen:
            self._settings.set_last_folder(_OPEN_FOLDER, Path(chosen).parent)
            self.open_bundles([Path(chosen)])

    def ask_packed(self) -> None:
        """Ask for zips of bundles."""
        chosen, _ = QFileDialog.getOpenFileNames(
            self,
            self.tr("Choose packed bundles"),
            str(self._settings.folder_for(_OPEN_FOLDER)),
            self.tr("Packed bundles (*.zip)"),
        )
        if chosen:
            self._settings.set_last_folder(_OPEN_FOLDER, Path(chosen[0]).parent)
            self.open_bundles([Path(one) for one in chosen])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.open_bundles([path if path.is_dir() or is_packed(path) else path.parent for path in paths])

    # what has changed

    def _compare(self) -> None:
        chosen = self.choices.current
        if chosen is None:
            self.job.drop()
            self._show_nothing(self._missing())
            return
        self.job.start(partial(_compared, chosen), what=self.tr("Comparing the bundles…"))

    def _missing(self) -> Message:
        """Why nothing is compared."""
        if self.choices.problem is not None:
            return message_of(self.choices.problem)
        readable = sum(one.bundle is not None for one in self._opened.values())
        if self._checking is not None or self._waiting:
            return Message(what=self.tr("The bundles are being checked."))
        if readable < _LEAST_BUNDLES:
            return Message(
                what=self.tr("Open two bundles."),
                mend=self.tr(
                    "Drop folders or zips of published bundles here, or add them on the left. Each is "
                    "verified first."
                ),
            )
        return Message(
            what=self.tr("Choose two different bundles."),
            mend=self.tr("The earlier and the later one are the same."),
        )

    def _show_nothing(self, message: Message) -> None:
        self.found = None
        self.model.show_changes(None, None)
        self.choices.show_labels(None)
        self._result.hide()
        self.empty.show_message(message)
        self._shown.setCurrentWidget(self.empty)

    def _show(self, found: Comparison) -> None:
        self.found = found
        self.choices.show_labels(found)
        self.summary.setText(changes_in_words(found))
        self._result.show()
        self._shown.setCurrentWidget(self._compared)
        self._offer_labels(found)
        self._show_rows()

    def _show_rows(self) -> None:
        """Map and table follow the comparison and the edge."""
        if self.found is not None:
            edge, found = self.choices.edge, self.found
            found = found.of_labels(self._labels) if found.groups else found
            self.model.show_changes(found, edge)
            self.table.fit_columns()
            self.map.show_changes(found, edge)
            self._say()

    def _offer_labels(self, found: Comparison) -> None:
        """A label of each group: that of before, where it has some of it."""
        offered = [found.group_labels(number) for number in range(len(found.groups))]
        before = dict(enumerate(self._labels))
        self._labels = tuple(
            before[number] if before.get(number) in labels else labels[0]
            for number, labels in enumerate(offered)
        )
        self._show_labels(found)

    def _show_labels(self, found: Comparison) -> None:
        self.chips.show_rows(
            [
                group_row(name, found.group_labels(number), label)
                for number, (name, label) in enumerate(zip(found.groups, self._labels, strict=True))
            ]
        )

    def _choose_label(self, row: int, label: str) -> None:
        self._labels = tuple(label if row == number else one for number, one in enumerate(self._labels))
        self._show_rows()

    def _filter(self) -> None:
        self.model.set_filter(self.filter.text(), changed_only=self.changed_only.isChecked())
        self._say()

    def _say(self) -> None:
        self.count.setText(
            counted(
                "{shown} of {n} row", "{shown} of {n} rows", self.model.total, shown=whole(self.model.shown)
            )
        )

    def _on_cell(self, cell: str, start: str) -> None:
        row = self.model.row_of(cell, start)
        if row >= 0:
            self.table.selectRow(row)

    def _on_row(self, current: QModelIndex) -> None:
        if current.isValid():
            self.map.choose(*self.model.place_at(current.row()))

    def copy(self) -> None:
        """Copy the selected rows: all of them are public."""
        chosen = self.table.selectionModel()
        rows = [row for row in range(self.model.shown) if chosen.rowIntersectsSelection(row)]
        if rows:
            QGuiApplication.clipboard().setText(self.model.copy_text(rows))
        self._session.noted.emit(counted("{n} row copied.", "{n} rows copied.", len(rows)))

    # export

    def ask_export(self) -> None:
        """Ask where, then write it in the background."""
        if self.found is None:
            return
        kinds = {
            self.tr("CSV (*.csv)"): ENDINGS[0],
            self.tr("Excel (*.xlsx)"): ENDINGS[1],
            self.tr("GeoParquet (*.parquet)"): ENDINGS[2],
        }
        name = f"{self.found.before}-to-{self.found.after}{ENDINGS[0]}"
        proposed = self._settings.folder_for(_EXPORT_FOLDER) / name
        chosen, kind = QFileDialog.getSaveFileName(
            self, self.tr("Export the changes"), str(proposed), ";;".join(kinds)
        )
        if chosen:
            path = Path(chosen)
            if path.suffix.lower() not in ENDINGS:
                path = path.with_name(path.name + kinds.get(kind, ENDINGS[0]))
            if refused := unasked_replacement(Path(chosen), path):
                self.message.show_error(refused)
                return
            self._settings.set_last_folder(_EXPORT_FOLDER, path.parent)
            self.write(path)

    def write(self, path: Path) -> None:
        """Write every number of what is shown, in the format of the ending."""
        if self.found is not None:
            self.message.clear()
            self.export.setEnabled(False)
            self.exporting.start(partial(_written, self.found, path), what=self.tr("Writing the changes…"))

    def _on_exported(self, path: Path) -> None:
        self.export.setEnabled(True)
        self.message.show_message(Message(what=self.tr("✓ Written."), where=str(path)), look="good")

    def _on_failed(self, error: object) -> None:
        self.export.setEnabled(True)
        self.message.show_error(error)


def _compared(chosen: Chosen, _: Progress) -> Comparison:
    before, after = (one.tables[chosen.statistic] for one in (chosen.before, chosen.after))
    return compare(before, after, chosen.value)


def _written(found: Comparison, path: Path, progress: Progress) -> Path:
    write_frame(found.frame, path, progress, outlines=found.outlines)
    return path
