"""One question a window: may the true errors of the loaded records be shown?"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from ui.kit.labels import label

_WIDTH = 480


class EvaluationDialog(QDialog):
    """Says what looking means; `accepted` is the analyst's word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Confidential evaluation"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.show_errors = self.buttons.addButton(
            self.tr("&Show true errors"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(label(self.tr("These errors follow from the true values"), "title", self))
        for text in (
            self.tr(
                "Whoever sees them learns about the vehicles beyond what a release tells. They are for "
                "your screen only and are never exported."
            ),
            self.tr(
                "Parameters that are chosen after looking depend on the data, and no budget pays for "
                "that: the claim of a later release becomes weaker. Its privacy statement will say that "
                "its parameters were chosen after a confidential evaluation."
            ),
            self.tr(
                "The replica and its scalings tell most of it for free. Your confirmation is logged; it "
                "holds for this window and cannot be taken back."
            ),
        ):
            paragraph = label(text, parent=self)
            paragraph.setFixedWidth(_WIDTH)
            layout.addWidget(paragraph)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self.resize(layout.minimumSize().width(), layout.heightForWidth(layout.minimumSize().width()))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
