"""Asks before unsaved work is closed or replaced; answered later, so that the window goes on meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from ui.language.translation import translator

_tr = translator("CloseQuestion")


def close_question(
    name: str,
    *,
    save: Callable[[], None],
    leave: Callable[[], None],
    parent: QWidget,
    closes: bool = True,
) -> QMessageBox:
    """The open question. save, leave: what follows from *Save* and from *Close without saving*.

    closes: False where the window stays, and something else is opened in it.
    """
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(_tr("Hexveil"))
    box.setText(
        _tr("Save the changes of {name}?").format(name=name) if name else _tr("Save what you have chosen?")
    )
    box.setInformativeText(
        _tr("What is not saved is lost. Published releases and the ledger stay as they are in any case.")
    )
    keep = box.addButton(_tr("&Save"), QMessageBox.ButtonRole.AcceptRole)
    without = _tr("Close &without saving") if closes else _tr("Open &without saving")
    drop = box.addButton(without, QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(keep)
    box.buttonClicked.connect(
        lambda button: save() if button is keep else leave() if button is drop else None
    )
    box.open()
    return box
