"""The banner above results that are a preview: made up, with noise as large as in a release."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from ui.kit.labels import label
from ui.layout.boxes import in_column
from ui.session.session import Session


class PreviewBanner(QFrame):
    """Seen above map and table while these show made-up values."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview = session.preview
        self.setProperty("look", "warning")
        head = label(self.tr("Preview with made-up values"), "heading", self)
        about = label(
            self.tr(
                "The noise is as large as in your release. Nothing here comes from your records, costs "
                "budget or can be saved."
            ),
            parent=self,
        )
        in_column(self, head, about, margins=(10, 6, 10, 6), spacing=2)
        session.preview.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setVisible(self._preview.active)
