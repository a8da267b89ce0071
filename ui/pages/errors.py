"""Step *Errors*: what the error plot shows, and what it cannot show yet."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ui.session import Session
from ui.widgets.error_summary import ErrorSummary
from ui.widgets.labels import label


class ErrorsPage(QWidget):
    """Explains the plot and leads to it."""

    plot_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        show = QPushButton(self.tr("Show the error &plot"), self)
        show.clicked.connect(self.plot_wanted)
        layout = QVBoxLayout(self)
        layout.addWidget(label(self.tr("How exact will it be?"), "heading", self))
        layout.addWidget(
            label(
                self.tr(
                    "Expected error is the noise plus the worst bias that the counts allow. It follows from "
                    "how many records each vehicle has, never from their speeds, so looking at it costs "
                    "nothing."
                ),
                parent=self,
            )
        )
        layout.addWidget(ErrorSummary(session, self))
        layout.addWidget(show)
        layout.addWidget(
            label(
                self.tr(
                    "Simulated errors on the papers' replica data set arrive with a later version; "
                    "until then nothing is shown in their place."
                ),
                "muted",
                self,
            )
        )
        layout.addStretch(1)
