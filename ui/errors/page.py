"""Step *Errors*: how exact a release will be, and what the error plot can be asked."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from core.privacy import Relation
from ui.errors.figure_export import FigureExport
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.session.session import Session


class ErrorsPage(QWidget):
    """Explains the plot and leads to it."""

    plot_wanted = Signal()
    methods_wanted = Signal()
    """Of the whole city, at one total."""
    constants_wanted = Signal()
    """Of relation `user`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        show = push_button(self.tr("Show the error plot"), self, self.plot_wanted)
        self.methods = push_button(self.tr("Compare methods for the whole &city"), self, self.methods_wanted)
        self.constants = QPushButton(self.tr("Show errors against the &constants"), self)
        self.constants.clicked.connect(self.constants_wanted)
        layout = QVBoxLayout(self)
        self.about = label(parent=self)
        layout.addWidget(self.about)
        layout.addWidget(self.constants)
        layout.addWidget(show)
        layout.addWidget(
            label(
                self.tr(
                    "The error plot compares every mechanism and grouping on a replica of the papers' data: "
                    "no real record is in it, so you may look, choose and export freely. The true errors of "
                    "a loaded hexagon slot are confidential; to see them weakens the claim of a "
                    "later release, and "
                    "the plot asks you first."
                ),
                "muted",
                self,
            )
        )
        layout.addWidget(self.methods)
        self.about_methods = label(
            self.tr(
                "At the same total, methods differ by how they share it out among hexagons and hours. "
                "What each will miss follows from counts; what it truly misses is asked for separately."
            ),
            "muted",
            self,
        )
        layout.addWidget(self.about_methods)
        self.figures = FigureExport(session, self)
        layout.addWidget(self.figures)
        layout.addStretch(1)
        self._session = session
        session.draft_changed.connect(self._refresh)
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        """What errors follow from."""
        user = self._session.draft.relation is Relation.USER
        self.constants.setVisible(user)
        for widget in (self.methods, self.about_methods):
            widget.setVisible(not user)
        self.about.setText(
            self.tr(
                "The typical error is the noise that the constants bring, and what the vehicles would "
                "change that C leaves out. It follows from constants and public counts, never from the "
                "loaded records, so looking at it costs nothing."
            )
            if user
            else self.tr(
                "The typical error is the noise plus the bias that a public model of vehicles expects; "
                "at worst, the bias is the largest that the counts allow. Both follow from how many "
                "records each vehicle has, never from their values, so looking at them costs nothing."
            )
        )
