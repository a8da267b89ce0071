"""Windows of tests die closed, never shown."""

from __future__ import annotations

import gc
from pathlib import Path

from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from tests.ui.release_story import city_session, make_page


def test_a_page_that_nobody_holds_is_not_collected_under_the_cursor(qtbot: QtBot, tmp_path: Path) -> None:
    """Seen under load: a collection between a test's end and the closing of its windows."""
    page = make_page(qtbot, city_session(qtbot, tmp_path), tmp_path / "out")
    title = page.fields["title"]
    page.activateWindow()
    title.setFocus()
    qtbot.waitUntil(title.hasFocus)
    qtbot.keyClicks(title, "half typed")
    with capture_exceptions() as raised:
        del page, title
        gc.collect()
    assert raised == []
