"""ui.errors.error_tabs: this release comes first."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.errors.error_tabs import ErrorTabs
from ui.kit.theme import Theme
from ui.session.session import Session


def test_this_release_comes_first(qtbot: QtBot, session: Session, theme: Theme) -> None:
    tabs = ErrorTabs(session, theme)
    qtbot.addWidget(tabs)
    assert tabs.sections.currentWidget() is tabs.release
    shown = [row for row in range(tabs.sections.count()) if tabs.sections.isTabVisible(row)]
    assert [tabs.sections.tabText(row) for row in shown] == ["This release", "All hexagons"]
    assert tabs.sections.tabBar().accessibleName()
