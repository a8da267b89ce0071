"""The frame of the window keeps its dialogs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from core.system.paths import Home
from ui.kit.theme import Mode, Theme
from ui.session.settings import Settings
from ui.shell.main_window import MainWindow


def test_a_dialog_stays_that_of_a_window_which_is_made_anew(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    home = Home(tmp_path)
    window = MainWindow(home, Settings(home), Theme(qapp, Mode.LIGHT))
    qtbot.addWidget(window)
    window.show()
    dialog, finished = QDialog(window), []
    dialog.finished.connect(finished.append)
    dialog.open()
    dialog.windowHandle().setTransientParent(None)
    QApplication.sendEvent(window, QEvent(QEvent.Type.WinIdChange))
    qtbot.waitUntil(lambda: dialog.windowHandle().transientParent() is window.windowHandle())
    assert (dialog.isVisible(), dialog.isModal(), finished) == (True, True, [])
