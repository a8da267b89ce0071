"""A button that packs a bundle's folder as one file, in the background."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from core.progress import Progress
from core.verify.pack_bundle import pack_bundle
from ui.kit.stage import Stage
from ui.kit.tips import in_lines


class PackButton(QPushButton):
    """A click calls `pack`; emits `packed(path)` or `refused(error)`."""

    packed = Signal(object)
    refused = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(self.tr("Pac&k as one file"))
        self.setToolTip(
            in_lines(
                self.tr("A zip beside the folder, to send and to download: everybody can verify it as it is")
            )
        )
        self._job = Stage(self, self.packed, failed=self.refused)
        self._job.finished.connect(lambda: self.setEnabled(True))

    def pack(self, bundle: Path) -> None:
        """Pack the bundle in this folder."""

        def work(progress: Progress) -> Path:
            return pack_bundle(bundle, progress)

        self.setEnabled(False)
        self._job.start(work, what=self.tr("Packing the bundle…"))
