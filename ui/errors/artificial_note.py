"""Above curves of a bundled data set, while records are loaded: that these are not of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from core.privacy import Relation
from ui.errors.curves import Curves
from ui.kit.labels import label
from ui.kit.tips import in_lines
from ui.language.counted_words import counted_vehicles
from ui.session.session import Session


class ArtificialNote(QFrame):
    """Says how the curves relate to *Decide*, and leads to what follows from public counts of the records."""

    records_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setProperty("look", "warning")
        self.text = label(parent=self)
        self.show_records = QPushButton(self.tr("Show my records"), self)
        self.show_records.setToolTip(
            in_lines(
                self.tr(
                    "Its typical error, from public counts: no value is looked at, and nothing is confirmed."
                )
            )
        )
        self.show_records.clicked.connect(self.records_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 8, 6)
        row.addWidget(self.text, 1)
        row.addWidget(self.show_records, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def show_for(self, curves: Curves | None) -> None:
        """Follow the plot; without records nobody mistakes what is shown for them."""
        artificial = curves is not None and not curves.request.source.is_loaded
        self.setVisible(artificial and self._session.has_data)
        if curves is None:
            return
        self.text.setText(
            self.tr(
                "! An artificial data set, not your records: one hexagon slot of {vehicles}. Decide counts "
                "with your own hexagon slots, so its figures differ."
            ).format(vehicles=counted_vehicles(curves.request.vehicles))
        )
        # in relation user not even counts of records may be shown
        self.show_records.setVisible(self._session.draft.relation is not Relation.USER)
