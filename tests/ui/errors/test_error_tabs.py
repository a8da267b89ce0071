"""ui.errors.error_tabs: one HAT and the whole city, in one tab of the window."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from ui.errors.city_methods import CityMethodsSection
from ui.errors.error_tabs import ErrorTabs
from ui.kit.theme import Theme
from ui.session.session import Session


def test_the_plot_comes_first(qtbot: QtBot, session: Session, theme: Theme) -> None:
    tabs = ErrorTabs(session, theme)
    qtbot.addWidget(tabs)
    assert tabs.sections.currentWidget() is tabs.plot
    assert [tabs.sections.tabText(number) for number in range(2)] == ["One hexagon", "Whole city"]
    assert tabs.sections.tabBar().accessibleName()


def test_true_errors_of_the_whole_city_are_gone_with_what_was_asked(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    tabs, gone = ErrorTabs(session, theme), list[bool]()
    qtbot.addWidget(tabs)
    tabs.true_errors_gone.connect(lambda: gone.append(True))
    monkeypatch.setattr(CityMethodsSection, "measured", True)
    tabs.sections.setCurrentWidget(tabs.city)
    session.edit("Title", title="Other words")
    assert not gone
    monkeypatch.setattr(CityMethodsSection, "measured", False)
    session.edit("Threshold", threshold=7)
    assert gone
