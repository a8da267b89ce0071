"""ui.map.map_marks: on the map HATs of its slot are marked, and those that were marked elsewhere are seen."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QObject, Signal

from core.system.paths import find_home
from ui.map.map_marks import MapMarks
from ui.session.session import Session
from ui.web_map.map_view import MapView
from ui.web_map.painting import SUPPRESSED_FILL, LegendClass, MapPainting

PAINTING = MapPainting(
    title="Mean",
    confidential=False,
    classes=(LegendClass("low", "#112233"), LegendClass("high", "#445566")),
    fills={"a": 0, "b": 1, "c": 1, "d": SUPPRESSED_FILL},
    tooltips={},
)


class FakeView(QObject):
    """What the marks know of a map."""

    toggled = Signal(str)
    brushed = Signal(object)
    class_pressed = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self.shown: frozenset[str] = frozenset()

    def mark(self, cells: frozenset[str]) -> None:
        self.shown = cells


class Marked:
    """A session, and the map that follows it."""

    def __init__(self) -> None:
        self.session = Session(find_home(None))
        self.view = FakeView()
        self.marks = MapMarks(cast(MapView, self.view), self.session)
        self.marks.follow(PAINTING, 9)

    @property
    def hats(self) -> set[tuple[str, int]]:
        return set(self.session.marked.hats)


@pytest.fixture
def marked() -> Marked:
    return Marked()


def test_ctrl_click_adds_and_takes_away(marked: Marked) -> None:
    marked.view.toggled.emit("a")
    marked.view.toggled.emit("b")
    marked.view.toggled.emit("a")
    assert marked.hats == {("b", 9)}
    marked.view.toggled.emit("nothing here")
    assert marked.hats == {("b", 9)}


def test_a_rectangle_marks_hats_and_no_empty_hexagon(marked: Marked) -> None:
    marked.view.toggled.emit("d")
    marked.view.brushed.emit(("a", "b", "nothing here"))
    assert marked.hats == {("a", 9), ("b", 9), ("d", 9)}
    assert marked.view.shown == {"a", "b", "d"}


def test_a_class_of_the_legend(marked: Marked) -> None:
    marked.view.class_pressed.emit(1, False)
    assert marked.hats == {("b", 9), ("c", 9)}
    marked.view.class_pressed.emit(SUPPRESSED_FILL, True)
    assert marked.hats == {("b", 9), ("c", 9), ("d", 9)}
    marked.view.class_pressed.emit(0, False)
    assert marked.hats == {("a", 9)}


def test_only_marks_of_the_slot_are_seen(marked: Marked) -> None:
    marked.session.marked.take([("a", 9), ("b", 10)])
    assert marked.view.shown == {"a"}
    marked.marks.follow(PAINTING, 10)
    assert marked.view.shown == {"b"}


def test_the_chosen_hat_alone_lets_the_others_be(marked: Marked) -> None:
    marked.session.choose_hat("a", 9)
    assert marked.view.shown == frozenset()
    marked.view.toggled.emit("b")
    assert marked.view.shown == {"a", "b"}
