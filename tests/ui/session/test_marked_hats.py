"""ui.session.marked_hats: one set, one signal, and who clears it."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.ui.small_city import edit, planned_session
from ui.session.marked_hats import MarkedHats


def told(marked: MarkedHats) -> list[int]:
    """How many were marked, at every signal."""
    counts: list[int] = []
    marked.changed.connect(lambda: counts.append(len(marked.hats)))
    return counts


def test_a_signal_for_every_change_and_none_without() -> None:
    marked = MarkedHats()
    counts = told(marked)
    marked.take([("a", 9), ("b", 9)])
    marked.take([("b", 9), ("a", 9)])
    marked.add([("c", 10), ("a", 9)])
    marked.toggle(("c", 10))
    marked.toggle(("d", 10))
    marked.clear()
    marked.clear()
    assert counts == [2, 3, 2, 3, 0]


def test_it_knows_each_slot() -> None:
    marked = MarkedHats()
    marked.take([("a", 9), ("b", 9), ("a", 10)])
    assert marked.cells_in(9) == {"a", "b"}
    assert marked.cells_in(11) == frozenset()
    assert marked.by_slot == {9: {"a", "b"}, 10: {"a"}}
    marked.clear()
    assert marked.by_slot == {}


def test_words() -> None:
    marked = MarkedHats()
    assert marked.text(9) == ""
    marked.take([("a", 9)])
    assert marked.text(9) == "1 hexagon slot marked"
    marked.add([("a", 10), ("b", 10)])
    assert marked.text(9) == "3 hexagon slots marked, 1 in this slot"


def test_choosing_a_hat_marks_it_alone(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    first, second, third = session.overview.hexagons
    session.marked.take([(second, 9), (third, 9)])
    session.chosen.choose_hat(second, 9, mark=False)
    assert session.marked.hats == {(second, 9), (third, 9)}
    session.chosen.choose_hat(None)
    assert session.marked.hats == {(second, 9), (third, 9)}, "whoever closes a card keeps the other marks"
    session.chosen.choose_hat(first, 9)
    assert session.marked.hats == {(first, 9)}
    session.chosen.choose_hat(None)
    assert not session.marked.hats
    session.chosen.choose_hat(first, 9)
    session.marked.add([(second, 10)])
    session.chosen.clear_marks()
    assert session.chosen.hat is None
    assert not session.marked.hats


def test_marks_end_with_their_grid(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert session.overview is not None
    session.marked.take([(session.overview.hexagons[0], 9)])
    edit(qtbot, session, threshold=1)
    assert session.marked.hats
    edit(qtbot, session, resolution=6)
    assert not session.marked.hats
