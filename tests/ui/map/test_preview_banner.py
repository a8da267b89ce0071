"""ui.map.preview_banner: made-up values are called so above them, and in the list of layers."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import texts
from ui.kit.theme import Theme
from ui.map.page import MapTab
from ui.map.preview_banner import PreviewBanner
from ui.session.session import Session


def test_a_preview_is_called_so_for_as_long_as_it_is_one(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    banner, tab = PreviewBanner(session), MapTab(session, theme)
    qtbot.addWidget(tab)
    qtbot.addWidget(banner)
    assert banner.isHidden()
    session.preview.begin()
    qtbot.waitUntil(lambda: session.release.preview is not None, timeout=TIMEOUT)
    assert not banner.isHidden()
    assert "Nothing here comes from your records" in texts(banner).replace("\n", " ")
    place = tab.layer.findData("released-mean")
    assert tab.layer.itemText(place) == "Published number (made up)"
    session.preview.end()
    assert banner.isHidden()
    assert tab.layer.itemText(place) == "Released number"
