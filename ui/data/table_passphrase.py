"""Asks for the passphrase of an encrypted contribution table, and says where it stays."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from ui.kit.cards import flowing
from ui.kit.labels import set_look
from ui.session.table_passphrases import PassphraseRequest

_WIDTH = 400


class TablePassphraseDialog(QDialog):
    """Answers the request however it is closed."""

    def __init__(self, request: PassphraseRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.request = request
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Encrypted contribution table"))
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        text = self.tr("{name} is encrypted. Type its passphrase.")
        layout.addWidget(flowing(text.format(name=request.table.name), "heading", self))
        self.wrong = flowing(self.tr("! This passphrase does not open the table."), "warning", self)
        self.wrong.setVisible(request.wrong)
        layout.addWidget(self.wrong)
        self.passphrase = QLineEdit(self)
        # of the field, so that the texts know their width when the dialog asks for its height
        self.passphrase.setMinimumWidth(_WIDTH)
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self.passphrase.setAccessibleName(self.tr("Passphrase of the table"))
        self.passphrase.setPlaceholderText(self.tr("the passphrase that it was written with"))
        self.passphrase.textChanged.connect(self._show_state)
        layout.addWidget(self.passphrase)
        layout.addWidget(
            flowing(
                self.tr("The passphrase stays in memory until Hexveil is closed, and is written nowhere."),
                "muted",
                self,
            )
        )
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Open | kinds.Cancel, self)
        self.open_button = self.buttons.button(kinds.Open)
        set_look(self.open_button, "primary")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout.addStretch(1)  # takes what is left over: between the lines it would stand unevenly
        layout.addWidget(self.buttons)
        self.finished.connect(self._answer)
        self._show_state()

    def _show_state(self) -> None:
        self.open_button.setEnabled(bool(self.passphrase.text()))

    def _answer(self, result: int) -> None:
        typed = self.passphrase.text()
        self.passphrase.clear()
        self.request.answer(typed if result == QDialog.DialogCode.Accepted and typed else None)
