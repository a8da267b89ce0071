"""The button packs in the background and is off meanwhile."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from core.verify.pack_bundle import packed_path
from tests.builders import make_bundle
from tests.ui.user_actions import refusal
from ui.session.pack_button import PackButton


def test_it_is_off_until_the_zip_is_there(qtbot: QtBot, tmp_path: Path) -> None:
    button = PackButton()
    qtbot.addWidget(button)
    bundle = make_bundle(tmp_path)
    with qtbot.waitSignal(button.packed) as told:
        button.pack(bundle)
        assert not button.isEnabled()
    assert told.args == [packed_path(bundle, bundle.name)]
    qtbot.waitUntil(button.isEnabled)
    with refusal(qtbot, button.refused):
        button.pack(tmp_path)
    qtbot.waitUntil(button.isEnabled)
