"""The tab *Distributions*: which grids are compared, when they are computed, and what is shown."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from core.draft.draft import DataSource, QueryDraft, draft_of
from core.grouping.m_ub import RULE_TITLES
from core.hats.slots import SlotLength
from core.planning.resolution_table import resolution_table
from core.progress import Progress
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import write_city
from tests.records import rules, write_csv
from tests.ui.small_city import edit, loaded_session, pings
from tests.ui.table_story import table_session
from tests.ui.user_actions import show as put_on_screen
from ui.distributions import resolutions as page
from ui.distributions.page import DistributionsTab
from ui.distributions.resolution_model import PENDING, ResolutionModel
from ui.distributions.resolution_rows import HoursKey, RowKey, RowRequest, window_of
from ui.distributions.resolutions import ResolutionsSection
from ui.kit.jobs import wait_for_all
from ui.kit.theme import DARK, Mode, Theme
from ui.language.translation import percent
from ui.session.session import Session

pytestmark = pytest.mark.usefixtures("_no_work_left")

TIMEOUT = 10_000
Asked = list[tuple[int, int]]
MARK = "what was there before"
SMALL_LAPTOP = QSize(691, 643)
"""What a window of 1366x768 leaves to the section."""
_AT_LEAST = "≥\N{NO-BREAK SPACE}"


def named(key: RowKey | HoursKey) -> tuple[int, int]:
    return key.resolution, key.window.slot_minutes if isinstance(key, RowKey) else 0


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The grids that workers were asked for, in order; slots of 0 minutes stand for the hours of the day."""
    asked: list[tuple[int, int]] = []
    real = page.compute_row

    def noting(request: RowRequest, progress: Progress) -> object:
        asked.append(named(request.key))
        return real(request, progress)

    monkeypatch.setattr(page, "compute_row", noting)
    return asked


def show(qtbot: QtBot, session: Session, theme: Theme) -> ResolutionsSection:
    section = ResolutionsSection(session, theme)
    put_on_screen(qtbot, section, width=760, height=620)
    qtbot.waitUntil(lambda: section.plot.ready, timeout=TIMEOUT)
    return section


def shown(qtbot: QtBot, session: Session, theme: Theme) -> ResolutionsSection:
    section = show(qtbot, session, theme)
    finish(qtbot, section)
    return section


def finish(qtbot: QtBot, section: ResolutionsSection) -> None:
    qtbot.waitUntil(lambda: section.complete and not section.plot.computing.running, timeout=TIMEOUT)


def figures(section: ResolutionsSection, line: str) -> list[str]:
    """A line of the table by the beginning of its name."""
    model = section.model
    for row in range(model.rowCount()):
        if str(model.index(row, 0).data()).startswith(line):
            return [str(model.index(row, column).data()) for column in range(1, model.columnCount())]
    raise AssertionError(line)


def header(section: ResolutionsSection) -> list[str]:
    model = section.model
    return [
        str(model.headerData(column, Qt.Orientation.Horizontal)) for column in range(1, model.columnCount())
    ]


def ticked(section: ResolutionsSection) -> tuple[tuple[int, ...], tuple[SlotLength, ...]]:
    return section.checks.ticked_resolutions, section.checks.ticked_lengths


def test_only_the_section_that_is_looked_at_works(qtbot: QtBot, theme: Theme) -> None:
    session = Session(find_home(None))
    tab = DistributionsTab(session, theme)
    qtbot.addWidget(tab)
    tab.show()
    bar = tab.sections.tabBar()

    def offered() -> list[str]:
        return [bar.tabText(at) for at in range(bar.count()) if bar.isTabVisible(at)]

    ends = "Resolutions and slots", "Vehicles"
    assert offered() == [*ends], "no statistic is chosen that the others are about"
    moments, curve = (QueryDraft(id=key, statistic=key) for key in ("mean_variance", "cdf"))
    session.edit("Statistics", queries=(curve,))
    assert offered() == [ends[0], "Values (CDF)", ends[1]]
    session.edit("Statistics", queries=(moments, curve))
    assert offered() == [ends[0], "Suppression", "Values (CDF)", ends[1]]
    qtbot.waitUntil(lambda: tab.resolutions.plot.ready, timeout=TIMEOUT)
    assert not tab.suppression.plot.ready
    assert not tab.cdf.plot.ready
    bar.setFocus()
    qtbot.keyClick(bar, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: tab.suppression.plot.ready, timeout=TIMEOUT)
    assert not tab.cdf.plot.ready
    qtbot.keyClick(bar, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: tab.cdf.complete, timeout=TIMEOUT)


def test_without_data_the_tab_says_what_to_do(qtbot: QtBot, theme: Theme, computed: Asked) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    assert section.plot.empty.reason.isVisible()
    assert section.plot.empty.reason.text() == "No data yet"
    assert not section.badge.isVisible()
    assert not section.table.isVisible()
    assert computed == []


def test_a_hidden_tab_computes_nothing(qtbot: QtBot, theme: Theme, tmp_path: Path, computed: Asked) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = DistributionsTab(session, theme)
    qtbot.addWidget(tab)
    edit(qtbot, session, resolution=8)
    assert wait_for_all(10)
    assert computed == []
    assert not tab.resolutions.plot.ready


def test_the_drafts_grid_stands_between_its_neighbours(
    qtbot: QtBot, theme: Theme, tmp_path: Path, computed: Asked
) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    assert header(section) == ["6 / 60", "✓ 7 / 60", "8 / 60", "7 / 30", "7 / 120"]
    shown_first = [(7, 60), (6, 60), (8, 60), (7, 30), (7, 120), (7, 0)]
    assert computed == shown_first
    edit(qtbot, session, resolution=10, slot_minutes="all")
    finish(qtbot, section)
    assert header(section) == ["9 / 720", "✓ 10 / 720", "10 / 240"]


def test_the_figures_are_those_of_the_command_line(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, threshold=2, hours=("09:00", "11:00"))
    section = shown(qtbot, session, theme)
    assert session.loaded is not None
    table = resolution_table(session.loaded.records, [6, 7, 8], window_of(session), 2)
    by_slot = resolution_table(session.loaded.records, [7], window_of(session), 2, lengths=(30, 120))
    rows = (*table.rows, *by_slot.others)
    assert figures(section, "Mean area") == [f"{row.mean_area_km2:.3g}" for row in rows]
    assert figures(section, "Hexagons with records") == [str(row.cells) for row in rows]
    assert figures(section, "Hexagon slots with records") == [str(row.hats) for row in rows]
    assert figures(section, "Hexagons busy in every slot") == [percent(row.busy_share(2), 1) for row in rows]
    assert figures(section, f"Hexagon slots busy ({_AT_LEAST}2") == [str(row.busy_hats(2)) for row in rows]
    assert figures(section, "Records in busy") == [percent(row.busy_records(2), 1) for row in rows]
    assert figures(section, "Hexagons busy in every slot") == ["66.7\u00a0%"] * 3 + [
        "0.0\u00a0%",
        "66.7\u00a0%",
    ]
    assert figures(section, "Most hexagon slots a day") == [str(row.k_day) for row in rows]
    assert section.badge.isVisible()
    assert section.badge.text() == "Confidential"


def test_another_threshold_computes_nothing_anew(
    qtbot: QtBot, theme: Theme, tmp_path: Path, computed: Asked
) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, hours=("09:00", "11:00"))
    section = shown(qtbot, session, theme)
    before = len(computed)
    edit(qtbot, session, threshold=4)
    assert figures(section, "Hexagons busy in every slot") == [
        *["33.3\u00a0%"] * 3,
        "0.0\u00a0%",
        "33.3\u00a0%",
    ]
    assert len(computed) == before


def test_whole_charts_are_seen_on_a_small_laptop(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    section = shown(qtbot, loaded_session(qtbot, tmp_path), theme)
    section.resize(SMALL_LAPTOP)
    QApplication.processEvents()
    see_whole_charts(section)
    for check in (*section.checks.resolutions.values(), *section.checks.lengths.values()):
        check.setChecked(True)  # the table has a bar below it
    finish(qtbot, section)
    section.shown.setCurrentIndex(5)
    QApplication.processEvents()
    assert section.table.horizontalScrollBar().isVisible()
    see_whole_charts(section)


def see_whole_charts(section: ResolutionsSection) -> None:
    page = next(area for area in section.findChildren(QScrollArea) if area.isAncestorOf(section.charts))
    for chart in (section.charts.vehicles, section.charts.hats, section.charts.hours):
        assert chart is not None
        bottom = chart.mapTo(page.viewport(), chart.rect().bottomLeft()).y()
        assert bottom <= page.viewport().height(), f"{bottom} of {page.viewport().height()}"


def test_coming_back_is_instant(qtbot: QtBot, theme: Theme, tmp_path: Path, computed: Asked) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    before = list(computed)
    edit(qtbot, session, hours=("09:00", "10:00"))
    finish(qtbot, section)
    # slots of two hours still have two: what 09:00 to 11:00 gives is known
    assert len(computed[len(before) :]) == 5
    anew = len(computed)
    session.undo_stack.undo()
    qtbot.waitUntil(
        lambda: figures(section, "Hexagon slots with records")[:3] == ["6", "6", "6"], timeout=TIMEOUT
    )
    assert section.complete
    section.hide()
    section.show()
    assert section.complete
    assert len(computed) == anew


def test_other_records_are_computed_anew(qtbot: QtBot, theme: Theme, tmp_path: Path, computed: Asked) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    before = len(computed)
    fewer = [ping for ping in pings() if not ping.vehicle.startswith("bus2")]
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(DataSource(files=(write_csv(tmp_path / "fewer.csv", fewer),), rules=rules()))
    finish(qtbot, section)
    assert figures(section, "Hexagons with records") == ["2"] * 5
    assert len(computed) == 2 * before


def test_ticked_grids_stay_when_the_draft_changes(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    section.checks.resolutions[5].setFocus()
    qtbot.keyClick(section.checks.resolutions[5], Qt.Key.Key_Space)
    section.checks.lengths[30].setChecked(False)
    section.checks.lengths["all"].setChecked(True)
    finish(qtbot, section)
    assert header(section) == ["5 / 60", "6 / 60", "✓ 7 / 60", "8 / 60", "7 / 120", "7 / 720"]
    edit(qtbot, session, resolution=8, slot_minutes=120)
    finish(qtbot, section)
    assert header(section) == ["5 / 120", "6 / 120", "7 / 120", "✓ 8 / 120", "8 / 60", "8 / 720"]
    edit(qtbot, session, resolution=10, slot_minutes=15)
    finish(qtbot, section)
    assert header(section) == ["5 / 60", "6 / 60", "7 / 60", "8 / 60", "8 / 120", "8 / 720"]
    for boxes, reason in (
        (section.checks.lengths, "No timeslot is ticked"),
        (section.checks.resolutions, "No resolution is ticked"),
    ):
        for box in boxes.values():
            box.setChecked(False)
        assert section.plot.empty.reason.text() == reason
        assert not section.badge.isVisible()
        assert not section.plot.computing.running


def test_hours_that_do_not_fit_a_slot_are_longer_for_it_alone(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, hours=("09:00", "12:00"))
    section = shown(qtbot, session, theme)
    tip = Qt.ItemDataRole.ToolTipRole
    tips = [section.model.headerData(column, Qt.Orientation.Horizontal, tip) for column in (2, 5)]
    assert tips == [
        "Resolution 7, slots of 1 hour, 09:00 to 12:00: chosen in step Parameters.",
        "Resolution 7, slots of 2 hours, 09:00 to 13:00.",
    ]


@pytest.mark.usefixtures("qapp")
def test_the_head_of_the_names_breaks_where_it_has_no_room() -> None:
    alignment = Qt.ItemDataRole.TextAlignmentRole
    given = ResolutionModel().headerData(0, Qt.Orientation.Horizontal, alignment)
    assert given & Qt.TextFlag.TextWordWrap.value


def test_the_charts_follow_the_choice(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    charts = section.charts
    assert charts.vehicles is not None
    assert charts.hats is not None
    assert charts.hours is not None
    assert section.shown.currentText() == "7 / 60"
    assert charts.vehicles.bins is not None
    assert charts.vehicles.bins.counts.tolist() == [2, 0, 2, 0, 2]
    assert [mark.name for mark in charts.vehicles.marks] == ["median 3"]
    assert [mark.name for mark in charts.hats.marks] == ["median 2", "K_day 2"]
    assert charts.figures[0].text().split("\n") == [
        "6 slot-days",
        "mean 3, min 1, max 5",
        "quartiles 1, 3, 5",
    ]
    assert charts.figures[1].text().startswith("9 vehicle-days\nmean 2, min 2, max 2")
    assert charts.figures[0].toolTip().endswith("quartiles 1, 3, 5\nstd. deviation 1.63")
    assert "std. deviation 1.63" in charts.vehicles.accessibleDescription()
    lines = QLabel.text(charts.figures[0])
    for pair in ("mean 3", "min 1", "max 5", "quartiles 1"):
        assert pair.replace(" ", "\u00a0") in lines, "a line never ends between a word and its figure"
    assert charts.vehicles.accessibleName() == "Histogram of vehicles per hexagon slot and day"
    assert charts.vehicles.accessibleDescription().startswith("Resolution 7, slots of 1 hour. 6 slot-days")
    # the bar of a page that just fits makes names break into more lines, and they need the bar: not for ever
    section.checks.resolutions[5].setChecked(True)
    finish(qtbot, section)
    assert section.shown.currentText() == "7 / 60"
    offered = [section.shown.itemText(number) for number in range(section.shown.count())]
    assert offered == ["5 / 60", "6 / 60", "7 / 60", "8 / 60", "7 / 30", "7 / 120"]
    section.shown.setFocus()
    qtbot.keyClick(section.shown, Qt.Key.Key_Up)
    assert charts.vehicles.accessibleDescription().startswith("Resolution 6, slots of 1 hour.")
    section.checks.resolutions[6].setChecked(False)
    assert section.shown.currentText() == "7 / 60"


def test_the_hours_of_the_day_stand_beside_what_the_window_keeps(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, hours=("09:00", "10:00"))
    section = shown(qtbot, session, theme)
    charts = section.charts
    assert charts.hours is not None
    records = len(pings())
    told = charts.figures[2].text().split("\n")
    assert told[0] == f"{records // 2} of {records} records"
    assert told[1].startswith("50.0 % retained, 09:00")
    assert told[2] == "Other hours are left out."
    assert "left out" in charts.hours.accessibleDescription()
    assert np.flatnonzero(charts.hours.heights).tolist() == [9, 10]
    assert np.flatnonzero(charts.hours.inside).tolist() == [9]
    charts.hours.read_out(9.4, QPointF(10, 10))
    assert charts.hours.readout == f"09:00: {records // 2} records, 9.0 vehicles a day, 3 hexagon slots"
    for number, height in ((1, 9), (2, 3), (0, records // 2)):
        charts.counted.setCurrentIndex(number)
        assert charts.hours.heights[9] == height
    assert charts.hours.readout == ""


def test_at_first_no_hour_is_left_out_midnight_is_named_and_names_break_before_brackets(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    section = shown(qtbot, loaded_session(qtbot, tmp_path), theme)
    told = section.charts.figures[2].text()
    assert told.count("\n") == 2, "three lines, as its neighbours"
    assert "left out" not in told
    hours = section.charts.hours
    assert hours is not None
    axis, drawing = hours._item.getAxis("bottom"), QPixmap(10, 10)
    with QPainter(drawing) as painter:
        _, _, named = axis.generateDrawSpecs(painter)
    assert [text for _, _, text in named] == ["0", "6", "12", "18"]
    model = section.model
    names = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    assert any(name.endswith(" (≥\u00a010\u00a0a\u00a0day)") for name in names)
    assert not [name for name in names if " " in name.partition("(")[2]]
    for widget in (section.progress, section.stop):  # while grids are counted
        widget.show()
    assert section.minimumSizeHint().width() <= 411, "no more than a small screen leaves"


def test_a_window_that_fits_nothing_is_explained(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    edit(qtbot, session, hours=("15:00", "16:00"))
    qtbot.waitUntil(
        lambda: section.plot.empty.reason.text() == "The window contains no record.", timeout=TIMEOUT
    )
    assert section.plot.empty.reason.isVisible()
    advice = section.plot.empty.advice
    assert advice.text().endswith("with what was read (`inspect`).")
    qtbot.waitUntil(lambda: advice.height() >= advice.heightForWidth(advice.width()), timeout=TIMEOUT)
    edit(qtbot, session, hours=("16:00", "15:00"))
    assert section.plot.empty.reason.text().startswith("The hours end before they start")
    edit(qtbot, session, hours=("09:00", "11:00"))
    finish(qtbot, section)
    assert section.table.isVisible()


class _Slow:
    """Stands for a big data set: indexing that goes on until it is stopped or let go."""

    def __init__(self, real: object, slow: set[int]) -> None:
        self._real = real
        self.slow = slow

    def __call__(self, request: RowRequest, progress: Progress) -> object:
        while request.key.resolution in self.slow and isinstance(request.key, RowKey):
            progress(0.5)
            time.sleep(0.005)
        return self._real(request, progress)  # type: ignore[operator]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Resolutions whose indexing does not end while they are in this set."""
    made = _Slow(page.compute_row, {8})
    monkeypatch.setattr(page, "compute_row", made)
    return made.slow


def test_slow_work_shows_progress_and_what_is_ready(
    qtbot: QtBot, theme: Theme, tmp_path: Path, slow: set[int]
) -> None:
    section = ResolutionsSection(loaded_session(qtbot, tmp_path), theme)
    put_on_screen(qtbot, section, width=760, height=620)
    assert not section.progress.isVisible()  # later it may be: plots take their time to be loaded
    place = section.plot.pos()
    qtbot.waitUntil(section.progress.isVisible, timeout=TIMEOUT)
    qtbot.waitUntil(
        lambda: figures(section, "Hexagon slots with records") == ["6", "6", *[PENDING] * 3], timeout=TIMEOUT
    )
    qtbot.waitUntil(lambda: section.progress.value() == round(1000 * 2.5 / 6), timeout=TIMEOUT)
    assert section.stop.isVisible()
    assert section.plot.pos() == place
    slow.clear()
    finish(qtbot, section)
    assert figures(section, "Hexagon slots with records")[:3] == ["6", "6", "6"]
    assert not section.progress.isVisible()
    assert not section.stop.isVisible()


def test_stop_keeps_what_is_ready(qtbot: QtBot, theme: Theme, tmp_path: Path, slow: set[int]) -> None:
    section = show(qtbot, loaded_session(qtbot, tmp_path), theme)
    qtbot.waitUntil(section.stop.isVisible, timeout=TIMEOUT)
    stage = section.plot.computing
    qtbot.waitUntil(lambda: stage.asked is not None and stage.asked.resolution == 8)
    section.stop.click()
    qtbot.waitUntil(lambda: ticked(section) == ((6, 7), (60,)), timeout=TIMEOUT)
    assert section.complete
    assert header(section) == ["6 / 60", "✓ 7 / 60"]
    assert not section.stop.isVisible()
    slow.clear()
    section.checks.resolutions[8].setChecked(True)
    finish(qtbot, section)
    assert header(section) == ["6 / 60", "✓ 7 / 60", "8 / 60"]


def test_hiding_the_tab_stops_the_work(qtbot: QtBot, theme: Theme, tmp_path: Path, slow: set[int]) -> None:
    section = show(qtbot, loaded_session(qtbot, tmp_path), theme)
    stage = section.plot.computing
    qtbot.waitUntil(lambda: stage.asked is not None and stage.asked.resolution == 8)
    section.hide()
    qtbot.waitUntil(lambda: stage.asked is None, timeout=TIMEOUT)
    assert wait_for_all(10)
    slow.clear()
    section.show()
    finish(qtbot, section)


def test_the_theme_is_followed_without_new_widgets(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    section = shown(qtbot, loaded_session(qtbot, tmp_path), theme)
    canvas = section.charts.vehicles
    assert canvas is not None
    theme.set_mode(Mode.DARK)
    assert section.charts.vehicles is canvas
    assert canvas._plot.backgroundBrush().color().name() == DARK.surface
    theme.set_mode(Mode.LIGHT)


def test_nothing_confidential_reaches_the_clipboard(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    QGuiApplication.clipboard().setText(MARK)
    section = shown(qtbot, loaded_session(qtbot, tmp_path), theme)
    section.table.setFocus()
    section.table.setCurrentIndex(section.model.index(2, 1))
    qtbot.keyClick(section.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == MARK
    assert all(
        label.textInteractionFlags() == Qt.TextInteractionFlag.NoTextInteraction
        for label in section.charts.figures
    )


def test_everything_is_named_and_reached_by_keyboard(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    section = shown(qtbot, loaded_session(qtbot, tmp_path), theme)
    assert section.table.accessibleName() == "Resolution table"
    role = Qt.ItemDataRole.AccessibleTextRole
    assert (
        section.model.index(2, 2).data(role) == "Hexagon slots with records, resolution 7, slots of 1 hour: 6"
    )
    for widget in (*section.checks.resolutions.values(), section.shown):
        assert "resolution" in widget.accessibleName()
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    for widget in (*section.checks.lengths.values(), section.charts.counted):
        assert widget.accessibleName()
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert section.table.focusPolicy() & Qt.FocusPolicy.TabFocus
    section.table.setCurrentIndex(section.model.index(0, 1))
    qtbot.keyClick(section.table, Qt.Key.Key_Down)
    assert section.table.currentIndex().row() == 1


def test_what_the_session_has_indexed_is_not_indexed_again(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[tuple[int, int], bool]] = []
    real = page.compute_row

    def noting(request: RowRequest, progress: Progress) -> object:
        asked.append((named(request.key), request.contributions is not None))
        return real(request, progress)

    monkeypatch.setattr(page, "compute_row", noting)
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    assert asked[0] == ((7, 60), True)
    assert not any(held for _, held in asked[1:])
    asked.clear()
    session.edit("change", hours=("09:00", "11:00"))
    qtbot.waitUntil(lambda: len(asked) == 5, timeout=TIMEOUT)
    finish(qtbot, section)
    assert asked[0] == ((7, 60), True)
    assert not any(held for _, held in asked[1:])


def test_of_a_table_its_own_grid_is_shown_and_the_rest_is_said_to_be_unknown(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    session = table_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    assert section.model.columnCount() == 2
    boxes = (*section.checks.resolutions.values(), *section.checks.lengths.values())
    assert [box.isChecked() for box in boxes].count(True) == 2
    assert not any(box.isEnabled() for box in boxes)
    assert "knows its own grid alone" in section.checks.only.text()
    assert "Not known. The contribution table covers 09:00 to 12:00" in section.charts.figures[2].text()
    assert section.charts.hours is not None
    assert not section.charts.hours.isVisible()
    assert not section.charts.counted.isEnabled()
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(draft_of(load_spec(write_city(tmp_path / "city")))[1])
    finish(qtbot, section)
    assert all(box.isEnabled() for box in boxes)
    assert section.charts.hours.isVisible()
    assert section.checks.only.isHidden()


def test_a_table_of_whole_days_in_hours_tells_the_hours(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    whole = ('hours = ["09:00", "12:00"]', 'hours = ["00:00", "24:00"]')
    session = table_session(qtbot, tmp_path, whole)
    section = shown(qtbot, session, theme)
    assert section.charts.hours is not None
    assert section.charts.hours.isVisible()
    assert session.contributions is not None
    assert section.charts.hours.heights.sum() == len(session.contributions.values)


def test_the_repr_of_a_request_tells_no_counts(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    assert session.loaded is not None
    key = page.RowKey(window_of(session), 6)
    request = page.row_request(session, key)
    assert repr(request).startswith("<confidential RowRequest")


def test_no_section_scrolls_sideways_beside_page_and_panel_at_150_percent(
    session: Session, theme: Theme
) -> None:
    """397 pixels: what 1920x1080 leave beside page and panel at 150 %."""
    tab = DistributionsTab(session, theme)
    for rule in RULE_TITLES.values():
        tab.suppression.rule.setText(rule)
        assert tab.minimumSizeHint().width() <= 397, rule
