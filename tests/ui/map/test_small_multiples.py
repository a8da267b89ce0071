"""ui.map.small_multiples: a map of each slot, all seen where there is room, by mouse and by keys."""

from __future__ import annotations

import h3
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.system.paths import find_home
from tests.ui.user_actions import show
from ui.kit.theme import Mode, Theme
from ui.map.layer_values import SUPPRESSED_CODE, LayerValues
from ui.map.slot_chart import SlotBar
from ui.map.small_multiples import SmallMultiples
from ui.session.session import Session
from ui.web_map.confidential_frame import FRAME_COLOURS
from ui.web_map.painting import LegendClass

CELLS = tuple(sorted(h3.grid_disk(h3.latlng_to_cell(21.17, 72.83, 7), 1)))
CLASSES = (LegendClass("<b>low</b>", "#102030"), LegendClass("high", "#d0b040"))


def bars(slots: range) -> list[SlotBar]:
    return [
        SlotBar(start=f"{slot:02d}:00", value=1.0, published=3, suppressed=0, words=f"{slot}: median 1")
        for slot in slots
    ]


def show_slots(multiples: SmallMultiples, slots: range, classes: tuple[LegendClass, ...] = CLASSES) -> None:
    told = LayerValues(
        cells=CELLS,
        slots=np.full(len(CELLS), slots.start, np.int64),
        codes=np.zeros(len(CELLS), np.int8),
        numbers=np.ones(len(CELLS)),
    )
    multiples.show_layer(
        "Mean (km/h)", told, bars(slots), slots, classes, CELLS, outside="not selected", confidential=True
    )


@pytest.fixture
def multiples(qtbot: QtBot, theme: Theme) -> SmallMultiples:
    session = Session(find_home(None))
    session.chosen.show_slot(10)
    made = SmallMultiples(session, theme)
    session.setParent(made)
    show(qtbot, made, width=700, height=520)
    show_slots(made, range(9, 21))
    qtbot.waitUntil(lambda: made.settled, timeout=10_000)
    return made


def test_all_slots_are_seen_at_once_where_there_is_room(multiples: SmallMultiples) -> None:
    assert len(multiples.tiles) == 12
    room = multiples.area.viewport().rect()
    for tile in multiples.tiles:
        assert room.contains(tile.geometry())
        assert not tile._image.isNull()
    assert [tile.isChecked() for tile in multiples.tiles].index(True) == 1
    assert multiples.tiles[0].accessibleName() == "9: median 1"


def test_they_are_a_little_lower_rather_than_cut_or_in_a_row_that_is_half_empty(
    qtbot: QtBot, multiples: SmallMultiples
) -> None:
    multiples.resize(690, multiples.area.y() + 440)
    QApplication.processEvents()
    across = multiples.tiles[0].width()
    for less in range(0, 100, 4):
        multiples.resize(690, multiples.area.y() + 440 - less)
        QApplication.processEvents()
        room = multiples.area.viewport().rect()
        assert all(room.contains(tile.geometry()) for tile in multiples.tiles)
        assert {tile.width() for tile in multiples.tiles} == {across}
        assert len({tile.x() for tile in multiples.tiles}) == 4
    qtbot.waitUntil(lambda: multiples.settled, timeout=10_000)


def test_they_make_room_for_a_legend_that_becomes_higher(qtbot: QtBot, multiples: SmallMultiples) -> None:
    """The legend of another layer takes its place only after they were laid out."""
    multiples.resize(690, multiples.area.y() + 425)
    QApplication.processEvents()
    before = multiples.area.height()
    long = tuple(LegendClass(f"a class of many words, the {n}th", "#102030") for n in range(6))
    show_slots(multiples, range(9, 21), long)
    qtbot.waitUntil(lambda: multiples.area.height() < before)
    qtbot.waitUntil(lambda: multiples.settled, timeout=10_000)
    assert all(multiples.area.viewport().rect().contains(tile.geometry()) for tile in multiples.tiles)


def test_many_slots_scroll_and_stay_readable(qtbot: QtBot, multiples: SmallMultiples) -> None:
    show_slots(multiples, range(96))
    qtbot.waitUntil(lambda: multiples.settled, timeout=10_000)
    assert min(tile.width() for tile in multiples.tiles) >= 132
    assert multiples.tiles[-1].geometry().bottom() > multiples.area.viewport().height()


def test_a_press_tells_the_slot(qtbot: QtBot, multiples: SmallMultiples) -> None:
    chosen: list[int] = []
    multiples.chosen.connect(chosen.append)
    qtbot.mouseClick(multiples.tiles[3], Qt.MouseButton.LeftButton)
    multiples.tiles[3].setFocus()
    qtbot.keyClick(multiples.tiles[3], Qt.Key.Key_Right)
    assert multiples.tiles[4].hasFocus()
    qtbot.keyClick(multiples.tiles[4], Qt.Key.Key_Space)
    assert chosen == [12, 13]
    qtbot.keyClick(multiples.tiles[4], Qt.Key.Key_Up)
    assert multiples.tiles[0].hasFocus()
    qtbot.keyClick(multiples.tiles[0], Qt.Key.Key_Left)
    assert multiples.tiles[0].hasFocus()


@pytest.mark.parametrize("slot", [12, 40], ids=["of a small map", "of none"])
def test_all_small_maps_are_one_stop_of_the_tab_key(multiples: SmallMultiples, slot: int) -> None:
    def stops() -> list[int]:
        policies = [tile.focusPolicy() for tile in multiples.tiles]
        return [number for number, one in enumerate(policies) if one & Qt.FocusPolicy.TabFocus]

    multiples.show_slot(slot)
    assert stops() == [3 if slot == 12 else 0]
    QTest.keyClick(multiples.tiles[stops()[0]], Qt.Key.Key_Right)
    assert stops() == [4 if slot == 12 else 1]


def test_marks_are_seen_in_the_small_maps(qtbot: QtBot, multiples: SmallMultiples) -> None:
    before = multiples.tiles[0]._image
    multiples._session.marked.take([(CELLS[0], 9), (CELLS[1], 9)])
    qtbot.waitUntil(lambda: multiples.settled and multiples.tiles[0]._image != before, timeout=10_000)


def test_the_legend_names_what_is_seen_and_nothing_else(multiples: SmallMultiples) -> None:
    def names() -> list[str]:
        shown = (multiples._legend_row.itemAt(place) for place in range(multiples._legend_row.count()))
        texts = [item.widget().findChildren(QLabel)[-1].text() for item in shown if item is not None]
        return texts[len(CLASSES) :]

    assert names() == ["not selected"]  # the values tell of the first slot alone
    told = LayerValues(
        cells=CELLS,
        slots=np.full(len(CELLS), 9, np.int64),
        codes=np.full(len(CELLS), SUPPRESSED_CODE, np.int8),
        numbers=np.full(len(CELLS), np.nan),
    )
    multiples.show_layer(
        "Mean",
        told,
        bars(range(9, 10)),
        range(9, 10),
        CLASSES,
        CELLS,
        outside="not released",
        confidential=False,
    )
    assert names() == ["suppressed"]


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_true_data_have_the_frame_and_the_badge_of_the_one_map(
    qtbot: QtBot, multiples: SmallMultiples, theme: Theme, mode: Mode
) -> None:
    theme.set_mode(mode)
    values = multiples._values
    assert values is not None
    for confidential in (True, False, True):
        multiples.show_layer(
            "Mean",
            values,
            bars(range(9, 21)),
            range(9, 21),
            CLASSES,
            CELLS,
            outside="",
            confidential=confidential,
            note="PRACTICE" if not confidential else "",
        )
        QApplication.processEvents()
        qtbot.waitUntil(lambda: multiples.settled, timeout=10_000)
        picture, right, bottom = multiples.grab().toImage(), multiples.width() - 1, multiples.height() - 1
        edge = [(right // 2, 0), (right // 2, bottom), (0, bottom // 2), (right, bottom // 2)]
        colour = FRAME_COLOURS[theme.colours.dark]
        assert {picture.pixelColor(*at).name() == colour for at in edge} == {confidential}
        assert multiples.badge.isVisible() is confidential
        assert multiples.note.isVisible() is not confidential
        assert all(
            multiples.rect().adjusted(2, 2, -2, -2).contains(part.geometry())
            for part in (multiples.title, multiples.area)
        )
