"""ui.session.origin_badge: what follows from real records is confidential, and the sample is made up."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.data.data_files import sample_project
from ui.session.origin_badge import OriginBadge
from ui.session.session import Session


def test_it_follows_what_is_loaded(qtbot: QtBot, session: Session) -> None:
    over = QWidget()
    badge = OriginBadge(over, "A secret.", session)
    show(qtbot, over)
    assert (badge.text(), badge.toolTip(), badge.property("look")) == ("Confidential", "A secret.", "badge")
    draft, source = sample_project()
    with qtbot.waitSignal(session.data_changed, timeout=60_000):
        session.load(source, draft)
    assert (badge.text(), badge.property("look")) == ("Made up", "tag")
    assert badge.toolTip() == "From the sample's made-up records: nobody's data."
    qtbot.waitUntil(lambda: not session.busy, timeout=60_000)
