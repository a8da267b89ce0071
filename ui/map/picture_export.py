"""*Export picture*: a public layer as PNG, SVG or PDF, asked for by button or menu, drawn in a worker."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from ui.kit.added_ending import unasked_replacement
from ui.kit.jobs import LatestJob
from ui.map.layer_picture import PictureOffer
from ui.map.picture_files import require_ending, write_picture
from ui.session.session import Session
from ui.session.settings import Settings

_FOLDER = "pictures"


class PictureExport(QObject):
    """Asks for a file, and writes there."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._widget = parent
        self._settings = Settings(session.home)
        self.job = LatestJob(parent=self)
        self.job.succeeded.connect(self._on_written)
        self.job.failed.connect(session.failed)

    def ask(self, offer: PictureOffer) -> None:
        """Ask where to, unless there is no such picture: then say why."""
        if offer.refusal:
            self._session.noted.emit(self.tr("No picture: {reason}.").format(reason=offer.refusal))
            return
        kinds = {".png": "PNG (*.png)", ".svg": "SVG (*.svg)", ".pdf": "PDF (*.pdf)"}
        start = self._settings.folder_for(_FOLDER) / f"{offer.name}.png"
        chosen, kind = QFileDialog.getSaveFileName(
            self._widget, self.tr("Export picture"), str(start), ";;".join(kinds.values())
        )
        if not chosen:
            return
        path = Path(chosen)
        if path.suffix:
            self.export_to(path, offer)
            return
        ending = next(ending for ending, name in kinds.items() if name == kind or not kind)
        path = path.with_name(path.name + ending)
        if refused := unasked_replacement(Path(chosen), path):
            self._session.failed.emit(refused)
            return
        self.export_to(path, offer)

    def export_to(self, path: Path, offer: PictureOffer) -> None:
        """Draw and write it."""
        self._settings.set_last_folder(_FOLDER, path.parent)
        make = offer.make
        self.job.start(
            lambda _: write_picture(make(), require_ending(path)), what=self.tr("Drawing the picture…")
        )

    @Slot(object)
    def _on_written(self, path: Path) -> None:
        self._session.noted.emit(self.tr("The picture is in {path}").format(path=path))
