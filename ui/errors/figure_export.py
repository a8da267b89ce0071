"""*Export figures*: the papers' figures as PNG, SVG, PDF and CSV in a folder; thousands of trials."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QProgressBar, QPushButton, QWidget

from core.progress import Progress, part
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import counted
from ui.layout.boxes import in_column, in_row
from ui.session.session import Session
from ui.session.settings import Settings

_FOLDER = "plots"
_NAME = "hexveil-figures"


def draw_figures(folder: Path, progress: Progress) -> int:
    """Draw and write them; how many there are. For a worker: it brings what draws."""
    from core.figures.figure_folder import write_figures
    from core.figures.figure_sets import made_up_figures

    figures = made_up_figures(part(progress, 0.0, 0.5))
    write_figures(figures, folder, part(progress, 0.5, 1.0))
    return len(figures)


def free_place(parent: Path) -> Path:
    """A new folder inside the chosen one."""
    names = (_NAME if number == 1 else f"{_NAME}-{number}" for number in count(1))
    return next(parent / name for name in names if not (parent / name).exists())


class FigureExport(QWidget):
    """A button, and while figures are drawn how far that is, and a button to stop."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = Settings(session.home)
        self._folder = Path()
        self.job = Stage(self)
        self.export = QPushButton(self.tr("Export figures…"), self)
        tip = self.tr(
            "The papers' figures on made-up data, as PNG, SVG, PDF and CSV. Nothing of loaded records."
        )
        self.export.setToolTip(in_lines(tip))
        self.export.setAccessibleDescription(tip)
        self.export.clicked.connect(self.ask)
        self.progress = QProgressBar(self, minimum=0, maximum=1000, textVisible=False)
        self.progress.setAccessibleName(self.tr("Drawing figures"))
        self.stop = push_button(self.tr("Stop"), self, self.job.cancel)
        self.status = label(look="muted", parent=self)
        in_column(self, in_row(None, self.export, (self.progress, 1), self.stop, 0), self.status)
        self.job.progressed.connect(self._on_progressed)
        self.job.succeeded.connect(self._on_drawn)
        self.job.failed.connect(session.failed)
        self.job.cancelled.connect(lambda: self.status.setText(self.tr("Stopped. Nothing was written.")))
        self.job.finished.connect(self._show_rest)
        self._show_rest()

    def ask(self) -> None:
        """Ask for a folder, and draw into a new one inside it."""
        start = self._settings.folder_for(_FOLDER)
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Where to put the figures"), str(start))
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, parent: Path) -> None:
        """Draw into a new folder inside `parent`."""
        self._settings.set_last_folder(_FOLDER, parent)
        folder = self._folder = free_place(parent)
        self.job.start(lambda progress: draw_figures(folder, progress))
        self.progress.setValue(0)
        self.status.setText(self.tr("Ten thousand trials of each point are drawn…"))
        self._show(running=True)

    def _show(self, *, running: bool) -> None:
        self.export.setEnabled(not running)
        self.progress.setVisible(running)
        self.stop.setVisible(running)
        self.status.setVisible(bool(self.status.text()))

    def _on_progressed(self, done: float, _text: str) -> None:
        self.progress.setValue(round(1000 * done))

    def _on_drawn(self, figures: int) -> None:
        self.status.setText(
            counted(
                "{n} figure as PNG, SVG, PDF and CSV is in {folder}.",
                "{n} figures as PNG, SVG, PDF and CSV are in {folder}.",
                figures,
                folder=self._folder,
            )
        )

    def _show_rest(self) -> None:
        if self.status.text().endswith("…"):
            self.status.clear()  # it failed, which is shown elsewhere
        self._show(running=False)
