"""ui.errors.error_tabs: one HAT and the whole city, in one tab of the window."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.errors.error_tabs import ErrorTabs
from ui.kit.theme import Theme
from ui.session.session import Session


def test_the_plot_comes_first(qtbot: QtBot, session: Session, theme: Theme) -> None:
    tabs = ErrorTabs(session, theme)
    qtbot.addWidget(tabs)
    assert tabs.sections.currentWidget() is tabs.plot
    assert [tabs.sections.tabText(number) for number in range(2)] == ["One hexagon", "Whole city"]
    assert tabs.sections.tabBar().accessibleName()
