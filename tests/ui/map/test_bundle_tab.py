"""ui.map.bundle_tab: the map of a bundle shows that bundle."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.verify.values import bundle_values
from tests.builders import make_bundle, make_city_query, make_release
from tests.ui.languages import spoken
from ui.kit.message_bar import Message
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of
from ui.map.bundle_tab import BundleTab


def test_it_shows_hexagons_and_slots_of_the_bundle(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = BundleTab(theme)
    qtbot.addWidget(tab)
    tab.show()
    assert "No bundle is shown." in tab.empty.reason.text()
    assert tab.view is None  # no page before there is something to show
    values = bundle_values(make_bundle(tmp_path))
    tab.show_bundle(values)
    view = tab.view
    assert view is not None
    qtbot.waitUntil(lambda: view.is_ready, timeout=15_000)
    assert view.isVisible()
    assert not view.framed
    assert view._cells == values.cells
    assert values.release in tab.title.text()
    assert tab.slot_text.text() == "09:00 – 10:00"
    tab.slot.setValue(1)
    assert tab.slot_text.text() == "10:00 – 11:00"
    tab.explain(Message(what="This bundle does not hold."))
    assert tab.values is None
    assert not view.isVisible()
    tab.dispose()


@pytest.mark.parametrize(("width", "lines"), [(538, 2), (691, 1)])
def test_its_title_takes_few_lines_where_there_is_little_room(
    qtbot: QtBot, theme: Theme, tmp_path: Path, width: int, lines: int
) -> None:
    """What 1366x768 leave at 150 % and at 100 %."""
    tab = BundleTab(theme)
    qtbot.addWidget(tab)
    tab.resize(width, 420)
    tab.show()
    tab.show_bundle(dataclasses.replace(bundle_values(make_bundle(tmp_path)), release="sample-speed-1.0.0"))
    qtbot.wait(50)
    high = tab.title.heightForWidth(tab.title.width())
    assert high <= lines * tab.title.fontMetrics().lineSpacing() + 2
    assert tab.slot.width() > 100
    tab.dispose()


def test_smoothed_numbers_are_offered_where_there_are_any(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = BundleTab(theme)
    qtbot.addWidget(tab)
    tab.show()
    tab.show_bundle(bundle_values(make_bundle(tmp_path / "raw")))
    assert tab.layer.isHidden()
    tab.show_bundle(bundle_values(make_bundle(tmp_path, make_release(queries=(make_city_query(),)))))
    assert not tab.layer.isHidden()
    assert [tab.layer.itemText(one) for one in range(tab.layer.count())][1].startswith("Smoothed mean speed")
    tab.layer.setCurrentIndex(1)
    offer = tab.picture()
    assert offer.name.endswith("-0900-smoothed")
    assert offer.make().legend.startswith("Smoothed mean speed")
    tab.dispose()


@pytest.mark.parametrize("language", ["en", "hi"])
@pytest.mark.parametrize("width", [538, 691, 950])
def test_the_numbers_are_named_whole_where_there_is_room(
    qtbot: QtBot, theme: Theme, tmp_path: Path, width: int, language: str
) -> None:
    """What 1366x768 leave at 150 %, at 100 %, and 1920x1080."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with spoken(app, catalogue_of(language)):
        tab = BundleTab(theme)
        qtbot.addWidget(tab)
        tab.resize(width, 420)
        tab.show()
        values = bundle_values(make_bundle(tmp_path, make_release(queries=(make_city_query(),))))
        tab.show_bundle(dataclasses.replace(values, release="sample-speed-1.0.0"))
        qtbot.wait(50)
        for number in range(tab.layer.count()):
            tab.layer.setCurrentIndex(number)
            assert tab.layer.shown_text == tab.layer.currentText()
        assert tab.slot.width() >= 100
        high = tab.title.heightForWidth(tab.title.width())
        assert high <= tab.title.fontMetrics().lineSpacing() + 4
        tab.dispose()


def test_a_picture_of_it_is_offered(theme: Theme, tmp_path: Path) -> None:
    tab = BundleTab(theme)
    assert tab.picture().refusal == "no bundle is shown"
    tab._values = bundle_values(make_bundle(tmp_path))
    offer = tab.picture()
    assert offer.refusal == ""
    assert offer.name.endswith("-0900")
    assert offer.make().legend
