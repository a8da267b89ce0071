"""To correct or withdraw a bundle: a dialog no higher than what it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.system.paths import find_home
from ui.ledger.notice_dialog import NoticeDialog
from ui.session.session import Session


@pytest.mark.parametrize("corrects", [False, True])
def test_no_empty_lines_stand_around_the_explanation(qtbot: QtBot, tmp_path: Path, corrects: bool) -> None:
    dialog = NoticeDialog(
        Session(find_home()), tmp_path / "bus-1.0.0", key=tmp_path / "key.pem", corrects=corrects
    )
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    words = dialog.explanation
    assert words.height() <= words.heightForWidth(words.width()) + words.fontMetrics().lineSpacing() // 2
    assert dialog.buttons.y() - dialog.passphrase.geometry().bottom() < 30
    dialog.resize(dialog.width(), dialog.height() + 90)
    qtbot.waitUntil(lambda: dialog.buttons.y() > dialog.height() - 60)
    assert words.height() <= words.heightForWidth(words.width()) + words.fontMetrics().lineSpacing() // 2
