"""ui.budget.hat_histogram: bars of all HATs; what is drawn over is marked, what is marked stands out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.system.paths import find_home
from tests.ui.small_city import edit, planned_session
from tests.ui.taxi_story import user_session
from tests.ui.user_actions import show
from ui.budget.hat_histogram import HatHistogram
from ui.distributions.page import hat_sizes
from ui.errors.error_tabs import error_histogram
from ui.kit.jobs import longest_wait, wait_for_all
from ui.session.session import Session


def settled(qtbot: QtBot, section: HatHistogram) -> HatHistogram:
    show(qtbot, section, width=700, height=400)
    qtbot.waitUntil(lambda: section.settled, timeout=10_000)
    return section


def test_a_bar_marks_its_hats_and_marks_stand_out(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    section = settled(qtbot, hat_sizes(session))
    assert section.title.text() == "Distinct vehicles of every hexagon slot, over all dates chosen"
    assert section.shown_bins is not None
    assert section.badge.isVisible()
    place = next(n for n, bar in enumerate(section.bars.bars) if bar.start == "3")
    section.bars.brushed.emit(place, place, False)
    assert len(session.marked.hats) == 2
    assert section.bars.marked[place] == 2
    last = len(section.bars.bars) - 1
    section.bars.brushed.emit(place + 1, last, True)
    assert len(session.marked.hats) == 4
    session.chosen.clear_marks()
    assert not any(section.bars.marked)
    section.bars.setFocus()
    qtbot.keyClick(section.bars, Qt.Key.Key_Home)
    qtbot.keyClick(section.bars, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(section.bars, Qt.Key.Key_Space)
    assert len(session.marked.hats) == 6
    section.hide()
    before = section.shown_bins
    edit(qtbot, session, resolution=6)
    assert wait_for_all(10)
    QApplication.processEvents()
    assert section.shown_bins is before, "nobody counts what nobody sees"
    section.show()
    wait = longest_wait()
    assert wait is not None
    assert wait.what == "Counting the hexagon slots…"
    qtbot.waitUntil(lambda: section.settled, timeout=10_000)
    assert section.shown_bins is not before


def test_what_the_height_of_a_bar_counts_is_written_above_the_bars(qtbot: QtBot, tmp_path: Path) -> None:
    section = settled(qtbot, hat_sizes(planned_session(qtbot, tmp_path)))
    bars = section.bars
    above = QRect(0, 0, bars.width(), 20)
    told = bars.grab(above).toImage()
    assert bars.counted == "Hexagon slots in each bar"
    bars.counted = ""
    assert bars.grab(above).toImage() != told
    assert min(bars._box(place, bar.count).top() for place, bar in enumerate(bars.bars)) > above.bottom()


def test_errors_follow_the_plan_and_say_whose_they_are(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    section = settled(qtbot, error_histogram(session))
    assert section.title.text() == "Typical errors of all planned hexagon slots (km/h)"
    assert section.badge.isVisible()
    assert sum(bar.count for bar in section.bars.bars) == 4
    edit(qtbot, session, threshold=5)
    qtbot.waitUntil(lambda: sum(bar.count for bar in section.bars.bars) == 2, timeout=10_000)
    section.hide()
    edit(qtbot, session, threshold=3)
    assert section.shown_bins is not None
    session.marked.take(section.shown_bins.hats[:1])
    assert not section.settled
    assert sum(bar.count for bar in section.bars.bars) == 2, "what nobody sees is not counted"
    section.show()
    qtbot.waitUntil(lambda: section.settled, timeout=10_000)
    assert sum(bar.count for bar in section.bars.bars) == 4
    assert sum(section.bars.marked) == 1


def test_errors_by_constants_are_public(qtbot: QtBot, tmp_path: Path) -> None:
    section = settled(qtbot, error_histogram(user_session(qtbot, tmp_path)))
    assert section.bars.bars
    assert not section.badge.isVisible()


def test_without_data_it_says_so(qtbot: QtBot) -> None:
    session = Session(find_home(None))
    for make in (hat_sizes, error_histogram):
        section = settled(qtbot, make(session))
        assert section.shown_bins is None
        assert "No data yet" in section.empty.reason.text()
