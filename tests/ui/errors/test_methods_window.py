"""ui.errors.methods_window: the papers' methods beside the main window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from ui.errors.city_methods import CityMethodsSection
from ui.errors.methods_window import MethodsWindow
from ui.kit.theme import Theme
from ui.session.error_sources import Source
from ui.session.session import Session


@pytest.fixture
def window(qtbot: QtBot, session: Session, theme: Theme) -> MethodsWindow:
    main = QWidget()
    main.resize(300, 200)
    qtbot.addWidget(main)
    main.show()
    window = MethodsWindow(session, theme, main)
    window.show()
    return window


def test_it_opens_on_the_replica_and_escape_closes_it(qtbot: QtBot, window: MethodsWindow) -> None:
    assert window.windowTitle() == "Methods compared"
    assert window.sections.currentWidget() is window.plot
    assert window.plot.bar.source is Source.REPLICA
    assert not window.isModal()
    assert not any(button.autoDefault() for button in window.findChildren(QPushButton))
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_it_is_as_small_as_any_screen_asks_whatever_it_shows(qtbot: QtBot, window: MethodsWindow) -> None:
    """640 by 308 pixels: what 1280x680 leave at 200 %; with its legend and plot it was 618 high."""
    qtbot.waitUntil(lambda: window.plot.complete, timeout=60_000)
    for section in (window.plot, window.city):
        window.sections.setCurrentWidget(section)
        window.resize(640, 308)
        QApplication.processEvents()
        assert window.size() == QSize(640, 308)
        assert window.figures.visibleRegion().boundingRect() == window.figures.rect()


def test_true_errors_are_gone_with_what_was_asked_and_with_the_window(
    session: Session, window: MethodsWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = list[bool]()
    window.true_errors_gone.connect(lambda: gone.append(True))
    monkeypatch.setattr(CityMethodsSection, "measured", True)
    window.sections.setCurrentWidget(window.city)
    session.edit("Title", title="Other words")
    assert not gone
    window.close()
    assert len(gone) == 1
    monkeypatch.setattr(CityMethodsSection, "measured", False)
    session.edit("Threshold", threshold=7)
    assert len(gone) == 2
