"""ui.session.origin_badge: what follows from real records is confidential, and the sample is made up."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.privacy import Relation, Unit
from tests.ui.user_actions import show
from tests.ui.whole_window import places_of, settle, wait_until, whole_window
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


def test_nothing_of_the_sample_is_called_confidential(qapp: QApplication, tmp_path: Path) -> None:
    """It was, on ten places, and framed in amber: nobody's data looked like a secret."""
    with whole_window(qapp, tmp_path) as window:
        workspace = window.workspace
        assert workspace is not None
        session, view = workspace.session, workspace.map.view
        assert view.framed
        workspace.data.open_sample()
        wait_until(lambda: not session.busy and session.draft.relation is None)
        session.edit("Privacy", relation=Relation.VALUES, unit=Unit.VEHICLE)
        settle(window)
        wait_until(lambda: not view.framed)
        seen: list[str] = []
        for place in places_of(window):
            QApplication.processEvents()
            seen += [one.text() for one in place.findChildren(QLabel) if one.isVisible()]
        assert "Made up" in seen
        assert "Confidential" not in seen
