"""Above the error plot: the source, *10,000 trials*, the badge, and saving curves as a picture or table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QMenu, QPushButton, QWidget

from core.errors import HexveilError
from core.progress import Progress
from core.system.files import write_atomic
from ui.errors.curve_request import curve_request
from ui.errors.curves import Curves
from ui.errors.curves_csv import curves_csv
from ui.errors.evaluation_dialog import EvaluationDialog
from ui.kit.added_ending import unasked_replacement
from ui.kit.labels import shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import Message
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.layout.boxes import in_row
from ui.session.error_sources import Source, source_note, source_title
from ui.session.guards.plots import not_evaluated
from ui.session.origin_badge import OriginBadge
from ui.session.session import Session
from ui.session.settings import Settings

_FOLDER = "plots"
_KINDS = ("png", "svg", "pdf", "csv")


class SourceBar(QWidget):
    """Chooses the source; true errors of loaded records only after a confirmation, which the ledger keeps."""

    changed = Signal()
    """Another source, or simulated errors are wanted or no longer."""
    reported = Signal(object)
    failed = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = Settings(session.home)
        self._source = Source.REPLICA
        self._curves: Curves | None = None
        self._saving = Stage(self, self._on_saved, failed=self.failed)
        self._hidden: frozenset[str] = frozenset()
        self.dialog: EvaluationDialog | None = None
        self.sources = ListBox(self)
        self.sources.setAccessibleName(self.tr("Source of the errors"))
        shrinkable(self.sources)
        for source in Source:
            self.sources.addItem(source_title(source), source)
            self.sources.setItemData(
                self.sources.count() - 1, in_lines(source_note(source)), Qt.ItemDataRole.ToolTipRole
            )
        self.sources.activated.connect(self._on_activated)
        self.trials = QCheckBox(self.tr("Simulated"), self)
        self.trials.setToolTip(self.tr("Also draw 10,000 trials of each point with the release's own code."))
        self.trials.toggled.connect(self.changed)
        self.badge = OriginBadge(self, session=self._session)
        self.export = QPushButton(self.tr("Export"), self)
        menu = QMenu(self.export)
        titles = (
            self.tr("Picture (PNG)…"),
            self.tr("Drawing (SVG)…"),
            self.tr("Page (PDF)…"),
            self.tr("Table (CSV)…"),
        )
        for kind, text in zip(_KINDS, titles, strict=True):
            menu.addAction(text).triggered.connect(lambda _=False, kind=kind: self.ask_export(kind))
        self.export.setMenu(menu)
        in_row(self, (self.sources, 1), self.trials, 0, self.badge, self.export, spacing=10)
        self.show_for(None, frozenset())

    @property
    def source(self) -> Source:
        return self._source

    @property
    def simulated(self) -> bool:
        """Ten thousand trials are wanted."""
        return self.trials.isChecked()

    # the source

    def _on_activated(self, index: int) -> None:
        source = Source(self.sources.itemData(index))
        if source is Source.LOADED and not_evaluated(self._session) and self._can_evaluate():
            self._ask()
        else:
            self.show_source(source)

    def _can_evaluate(self) -> bool:
        """There is something to see; a confirmation for nothing would weaken the claim for nothing."""
        try:
            return not isinstance(curve_request(self._session, Source.LOADED), Message)
        except HexveilError:
            return False

    def _ask(self) -> None:
        self.dialog = EvaluationDialog(self._session, self.window())
        self.dialog.accepted.connect(lambda: self.show_source(Source.LOADED))
        self.dialog.rejected.connect(self._show_source)
        self.dialog.open()

    def show_source(self, source: Source) -> None:
        """Show another source; true errors of loaded records are asked for in `sources` alone."""
        self._source = source
        self._show_source()
        self.changed.emit()

    def _show_source(self) -> None:
        with QSignalBlocker(self.sources):
            self.sources.setCurrentIndex(self.sources.findData(self._source))

    # what is shown, and its export

    def show_for(self, curves: Curves | None, hidden: frozenset[str]) -> None:
        """Follow the plot; hidden: keys of curves that are switched off."""
        self._curves, self._hidden = curves, hidden
        self.badge.setVisible(curves is not None and self._source.is_loaded)
        reason = ""
        if self._source.is_loaded:
            reason = self.tr(
                "Errors of loaded records stay on your screen; only replica curves are exported."
            )
        elif curves is None or not curves.complete:
            reason = self.tr("The curves are being computed.")
        elif curves.errors.keys() <= hidden:
            reason = self.tr("Every curve is switched off.")
        self.export.setEnabled(not reason)
        tip = reason or self.tr("Save the curves as a picture, a drawing, a page or a table.")
        self.export.setToolTip(in_lines(tip))
        self.export.setAccessibleDescription(tip)

    def ask_export(self, kind: str) -> None:
        """Ask for a file and write it."""
        start = self._settings.folder_for(_FOLDER)
        path, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Export the curves"),
            str(start / f"hexveil-errors-{self._source}.{kind}"),
            f"{kind.upper()} (*.{kind})",
        )
        if path:
            typed = Path(path)
            chosen = typed if typed.suffix else typed.with_suffix(f".{kind}")
            if refused := unasked_replacement(typed, chosen):
                self.failed.emit(refused)
                return
            self.export_to(chosen, kind)

    def export_to(self, path: Path, kind: str) -> None:
        """Write the replica curves in one step; never anything of loaded records."""
        curves = self._curves
        if curves is None or curves.request.source.is_loaded:
            return
        self.reported.emit(Message(what=self.tr("Saving the curves…"), mend=str(path)))
        hidden = self._hidden

        def content() -> bytes:
            if kind == "csv":
                return curves_csv(curves)
            from ui.errors.picture import curves_picture  # brings Pillow

            return curves_picture(curves, hidden, kind)

        self._save(path, content)

    def _save(self, path: Path, content: Callable[[], bytes]) -> None:
        def work(_: Progress) -> Path:
            write_atomic(path, content())
            return path

        self._saving.start(work)

    def _on_saved(self, path: Path) -> None:
        self._settings.set_last_folder(_FOLDER, path.parent)
        self.reported.emit(Message(what=self.tr("The curves are saved."), mend=str(path)))
