"""ui.map.hexagon_card: what a click on a hexagon tells, and what of it is marked as confidential."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QScrollArea, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from core.advice.hexagon_facts import HatState, HexagonFacts, SlotFacts
from core.hats.slots import SlotGrid
from core.statistics.registry import require_statistic
from tests.ui.languages import spoken
from tests.ui.user_actions import LEFT, press, show
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of
from ui.map.hexagon_card import CardContent, HexagonCard

CELL = "872664c1effffff"


def fact(slot: int, vehicles: int, state: HatState, error: float | None = None) -> SlotFacts:
    return SlotFacts(slot=slot, vehicles=vehicles, vehicle_days=2 * vehicles, error=error, state=state)


SLOTS = (
    fact(9, 8, HatState.PUBLISHED, 1.25),
    fact(10, 3, HatState.SUPPRESSED),
    fact(11, 1, HatState.UNSELECTED),
    fact(12, 0, HatState.ABSENT),
)


def content(
    slot: int = 9, *, public: bool = False, released: str = "", aside: str = "", compared: str = ""
) -> CardContent:
    facts = HexagonFacts(cell=CELL, slots=SLOTS, errors_are_public=public)
    measure = require_statistic("mean").measures[0]
    return CardContent(
        facts=facts,
        slot=slot,
        grid=SlotGrid(60),
        measure=measure,
        required=20,
        threshold=10,
        released=released,
        compared=compared,
        aside=aside,
    )


def at(card: HexagonCard, part: QWidget) -> QRect:
    """Where a part of the card lies in it."""
    return QRect(part.mapTo(card, QPoint(0, 0)), part.size())


@pytest.fixture
def card(qtbot: QtBot, theme: Theme) -> Iterator[HexagonCard]:  # noqa: ARG001 - the sheet
    over = QWidget()
    show(qtbot, over, width=600, height=600)
    yield HexagonCard(over)
    over.close()


@pytest.mark.parametrize(
    ("slot", "told"),
    [
        (9, "selected\ntypical error 1.25 km/h"),
        (10, "selected, but suppressed: too few vehicles"),
        (11, "not selected: 2 vehicle-days; 20 are needed (10 a day)"),
        (12, "not selected: no vehicle"),
    ],
)
def test_it_says_selected_or_why_not(card: HexagonCard, slot: int, told: str) -> None:
    card.show_content(content(slot))
    assert card.isVisible()
    assert card.title.text() == CELL
    assert card.state_head.text() == f"{slot:02d}:00 – {slot + 1}:00"
    assert card.state.text() == told


def test_bars_are_the_vehicles_and_errors_of_the_slots(card: HexagonCard) -> None:
    card.show_content(content())
    assert card.vehicles.values == (8.0, 3.0, 1.0, None)
    assert card.errors.values == (1.25, None, None, None)
    assert card.vehicles.words[0] == "09:00 – 10:00: 8 vehicles"
    assert card.errors.words[1] == "10:00 – 11:00: not published"


def test_a_click_on_a_bar_chooses_its_slot(qtbot: QtBot, card: HexagonCard) -> None:
    card.show_content(content())
    bars = card.vehicles
    with qtbot.waitSignal(card.slot_chosen) as told:
        qtbot.mouseClick(bars, LEFT, pos=QPoint(round(bars.width() * 0.6), 5))
    assert told.args == [11]


@pytest.mark.parametrize("public", [False, True])
def test_counts_always_carry_the_badge_and_errors_where_they_follow_from_counts(
    card: HexagonCard, public: bool
) -> None:
    card.show_content(content(public=public))
    assert card.vehicles_badge.isVisible()
    assert card.errors_badge.isVisible() is not public


@pytest.mark.parametrize(
    ("slot", "public", "tagged"), [(9, False, True), (9, True, False), (11, False, True), (11, True, True)]
)
@pytest.mark.parametrize("released", ["", "21.5 km/h, 95 % interval 18.0 to 25.0"])
def test_what_follows_from_the_records_carries_the_badge_beside_released_numbers_too(
    card: HexagonCard, slot: int, public: bool, tagged: bool, released: str
) -> None:
    card.show_content(content(slot, public=public, released=released))
    assert card.state_badge.isVisible() is tagged
    beside = at(card, card.state_head)
    if tagged:
        assert beside.top() <= at(card, card.state_badge).center().y() <= beside.bottom()
    if tagged and released:
        assert at(card, card.released).bottom() < at(card, card.state_badge).top()


def test_nothing_is_confidential_of_a_slot_of_which_nothing_is_known(card: HexagonCard) -> None:
    unknown = HexagonFacts(cell=CELL, slots=(fact(9, 8, HatState.UNKNOWN),), errors_are_public=False)
    card.show_content(dataclasses.replace(content(), facts=unknown))
    assert not card.state_badge.isVisible()


def test_copy_takes_the_id_and_what_is_public_and_no_count(qtbot: QtBot, card: HexagonCard) -> None:
    card.show_content(content(released="09:00 – 10:00: 21.5 km/h, 95 % interval 18.0 to 25.0"))
    assert card.released.text() == "09:00 – 10:00: 21.5 km/h, 95 % interval 18.0 to 25.0"
    press(qtbot, card.copy)
    copied = QGuiApplication.clipboard().text()
    assert copied == f"{CELL}\n09:00 – 10:00: 21.5 km/h, 95 % interval 18.0 to 25.0"


def test_what_is_about_the_window_is_not_copied(qtbot: QtBot, card: HexagonCard) -> None:
    card.show_content(content(released="09:00 – 10:00: 21.5 km/h", aside="Made with other settings."))
    assert card.released.text() == "09:00 – 10:00: 21.5 km/h\nMade with other settings."
    press(qtbot, card.copy)
    assert QGuiApplication.clipboard().text() == f"{CELL}\n09:00 – 10:00: 21.5 km/h"


def test_a_pinned_set_stands_beside_the_error_of_the_draft(card: HexagonCard) -> None:
    card.show_content(content(compared="A: 4.33 km/h\nB: 2.18 km/h"))
    assert card.state.text().endswith("A: 4.33 km/h\nB: 2.18 km/h")


def test_copy_takes_the_id_alone_where_nothing_is_released(qtbot: QtBot, card: HexagonCard) -> None:
    card.show_content(content())
    press(qtbot, card.copy)
    assert QGuiApplication.clipboard().text() == CELL


def test_zoom_and_close_are_asked_for_and_none_is_shown_without_a_hexagon(
    qtbot: QtBot, card: HexagonCard
) -> None:
    card.show_content(content())
    with qtbot.waitSignal(card.zoom_wanted) as told:
        press(qtbot, card.zoom)
    assert told.args == [CELL]
    card.show_content(None)
    assert card.isHidden()


def test_it_tells_how_much_of_the_map_it_covers(card: HexagonCard) -> None:
    told: list[tuple[int, int]] = []
    card.covered.connect(lambda *covered: told.append(covered))
    card.show_content(content())
    assert told[-1] == (card.geometry().right() + 1, card.geometry().bottom() + 1)
    card.show_content(None)
    assert told[-1] == (0, 0)


def test_it_does_not_outgrow_a_small_map(card: HexagonCard, tmp_path: Path) -> None:
    card.show_content(content(11, released="suppressed"))
    assert card.height() <= 380
    assert card.grab().save(str(tmp_path / "card.png"))


def test_a_hexagon_of_which_nothing_is_published_has_no_empty_bars_of_errors(card: HexagonCard) -> None:
    told = content(11)
    idle = dataclasses.replace(told.facts, slots=tuple(dataclasses.replace(one, error=None) for one in SLOTS))
    card.show_content(dataclasses.replace(told, facts=idle))
    assert card.vehicles.isVisible()
    assert not card.errors.isVisible()
    assert not card.errors_badge.isVisible()
    assert (card.first.text(), card.last.text()) == ("09:00", "13:00")


@pytest.mark.parametrize(
    "released", ["", "19.7 km/h, 95 % interval 10.9 to 28.4\nsmoothed: 18.0 km/h, 95 % interval 14.1 to 22.1"]
)
def test_the_card_is_as_tall_as_what_it_tells(card: HexagonCard, released: str) -> None:
    for slot in (9, 11, 9):
        card.show_content(content(slot, released=released))
        QApplication.processEvents()
        for bars in (card.vehicles, card.errors):
            assert bars.height() >= bars.minimumHeight()
        parts = (card.title, card.state, card.vehicles, card.errors, card.first, card.copy)
        for above, below in pairwise(parts):
            assert at(card, above).bottom() < at(card, below).top()
        assert card.rect().contains(at(card, card.copy))
        assert not bar_of(card).isVisible()


def bar_of(card: HexagonCard) -> QScrollBar:
    area = card.findChild(QScrollArea)
    assert area is not None
    return area.verticalScrollBar()


@pytest.mark.parametrize("height", [205, 380, 600])
def test_on_a_low_map_its_buttons_stay_and_the_rest_scrolls(card: HexagonCard, height: int) -> None:
    """205 pixels: what 1366x768 leave the map at 150 %."""
    over = card.parentWidget()
    card.show_content(content(9, released="19.7 km/h, 95 % interval 10.9 to 28.4\nsmoothed: 18.0 km/h"))
    for room in (600, height):
        over.resize(600, room)
        QApplication.processEvents()
    seen = over.rect()
    for part in (card.title, card.copy, card.zoom):
        assert seen.contains(part.mapTo(over, part.rect().bottomRight()))
    bar = bar_of(card)
    assert bar.isVisible() is (height < 300)
    bar.setValue(bar.maximum())
    for part in (card.vehicles, card.last, card.released):
        assert card.width() > at(card, part).right() + (bar.width() if bar.isVisible() else 0)
    assert at(card, card.released).bottom() < at(card, card.copy).top()
    at_rest = card.geometry()
    QApplication.processEvents()
    assert card.geometry() == at_rest


@pytest.mark.parametrize(
    "released",
    [
        "19.7 km/h, 95 % interval 10.9 to 28.4\nsmoothed: 18.0 km/h",
        "09:00 – 10:00: 19.7 km/h, 95 % interval 10.9 to 28.4\n"
        "smoothed: 18.0 km/h, 95 % interval 14.1 to 22.1",
        "not released",
    ],
)
def test_on_a_low_map_the_released_number_is_seen_without_scrolling(card: HexagonCard, released: str) -> None:
    over = card.parentWidget()
    card.show_content(dataclasses.replace(content(9, released=released), place="near Central Junction"))
    over.resize(600, 205)
    QApplication.processEvents()
    seen = card.released.visibleRegion().boundingRect().height()
    assert seen == card.released.height()
    assert at(card, card.place).bottom() < at(card, card.released).top()


@pytest.mark.parametrize("height", [*range(180, 320, 7), 450])
def test_on_a_low_map_no_chart_is_cut(card: HexagonCard, height: int) -> None:
    over = card.parentWidget()
    card.show_content(content(9, released="19.7 km/h, 95 % interval 10.9 to 28.4"))
    over.resize(600, height)
    QApplication.processEvents()
    for bars in (card.vehicles, card.errors):
        seen = bars.visibleRegion().boundingRect().height()
        assert seen in (0, bars.height())


def test_an_error_of_a_share_is_told_in_percentage_points(card: HexagonCard) -> None:
    measure = require_statistic("cdf").measures[0]
    facts = HexagonFacts(cell=CELL, slots=(fact(9, 8, HatState.PUBLISHED, 0.125),), errors_are_public=False)
    card.show_content(dataclasses.replace(content(), facts=facts, measure=measure))
    assert card.state.text().endswith("typical error 12.50 percentage points")


@pytest.mark.parametrize(
    ("language", "released"),
    [
        ("en", "95 % interval 9.8 to 27.3\nsmoothed: 18.0 km/h, 95 % interval 14.2 to 21.8"),
        ("hi", "95 % अंतराल 9.8 से 27.3\nस्मूद: 18.1 km/h, 95 % अंतराल 14.5 से 21.8"),
    ],
    ids=["en", "hi"],
)
def test_all_of_it_is_seen_on_the_map_of_a_large_screen_at_150_percent(
    qapp: QApplication, card: HexagonCard, language: str, released: str
) -> None:
    """410 pixels: what 1920x1080 leave at 150 %, where lines of Devanagari take more."""
    with spoken(qapp, catalogue_of(language)):
        card.parentWidget().resize(600, 410)
        told = content(9, released=f"11:00 – 12:00: 18.6 km/h, {released}")
        card.show_content(dataclasses.replace(told, place="Central Junction"))
        QApplication.processEvents()
        assert not bar_of(card).isVisible()
