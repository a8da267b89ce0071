"""ui.map.slot_words: what a bar says, with unit, how many HATs, and how many are suppressed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.advice.slot_figures import SlotFigure
from core.hats.slots import SlotGrid
from tests.builders import make_release
from tests.ui.small_city import planned_session
from ui.map.layers import MapState, layers
from ui.map.slot_words import short_number, short_strip_titles, slot_bar, strip_title

GRID = SlotGrid(60)


@pytest.mark.parametrize(
    ("key", "median", "words"),
    [
        ("released-mean", 23.456, "09:00 – 10:00: median 23.5 km/h of 12 hexagon slots, 3 suppressed"),
        ("vehicles", 7.0, "09:00 – 10:00: median 7 vehicles of 12 hexagon slots, 3 suppressed"),
        ("vehicles", 7.5, "09:00 – 10:00: median 7.50 of 12 hexagon slots, 3 suppressed"),
        ("selected", 1.0, "09:00 – 10:00: 12 hexagon slots, 3 suppressed"),
    ],
)
def test_a_bar_in_words(key: str, median: float, words: str) -> None:
    figure = SlotFigure(slot=9, median=median, numbers=12, suppressed=3)
    bar = slot_bar(key, figure, GRID, "km/h")
    assert bar.words == words
    assert (bar.start, bar.published, bar.suppressed) == ("09:00", 12, 3)
    assert bar.value == (12.0 if key == "selected" else median)


def test_a_slot_without_a_number_says_so() -> None:
    bar = slot_bar("released-mean", SlotFigure(slot=9, median=None, numbers=0, suppressed=2), GRID, "km/h")
    assert bar.value is None
    assert bar.words == "09:00 – 10:00: no number, 2 suppressed"


def released_state(qtbot: QtBot, folder: Path, *, practice: bool = False) -> MapState:
    """Of a release, at nine."""
    session = planned_session(qtbot, folder)
    assert session.overview is not None
    return MapState(
        overview=session.overview,
        forecast=session.forecast,
        release=make_release(),
        slot=9,
        slot_text="09:00",
        practice=practice,
    )


def test_titles_say_which_figure_and_unit(qtbot: QtBot, tmp_path: Path) -> None:
    state = released_state(qtbot, tmp_path)
    titles = {layer.key: strip_title(layer, state) for layer in layers()}
    assert titles["released-mean"] == "Released mean speed (km/h): median per slot"
    assert titles["vehicles"] == "Distinct vehicles: median per slot"
    assert titles["selected"] == "Selected in each slot (hexagons)"
    short = {layer.key: short_strip_titles(layer, state) for layer in layers()}
    assert short["released-mean"] == ("Median per slot (km/h)", "Median per slot")
    assert short["vehicles"] == ("Median per slot",)
    assert short["selected"] == ("Selected hexagons",)
    assert titles["pin-difference"] == "By how much B is better (km/h): median per slot"
    assert short["pin-difference"] == ("B better by (km/h)", "B better by"), (
        "else nothing tells what a bar below zero means"
    )


def test_the_short_title_of_a_practice_release_says_so_too(qtbot: QtBot, tmp_path: Path) -> None:
    # a low map has no room for the legend, so the title alone tells it
    state = released_state(qtbot, tmp_path, practice=True)
    short = {layer.key: short_strip_titles(layer, state) for layer in layers()}
    assert short["released-mean"] == ("PRACTICE: Median per slot (km/h)", "PRACTICE: Median per slot")
    assert (short["vehicles"], short["selected"]) == (("Median per slot",), ("Selected hexagons",))


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (1234.0, "1,234"), (0.123, "0.12"), (45.67, "45.7"), (-345.6, "-346")]
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert short_number(value) == text
