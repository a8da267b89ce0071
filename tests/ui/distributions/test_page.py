"""The tab *Distributions*: which resolutions are compared, when they are computed, and what is shown."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.draft import DataSource
from core.paths import find_home
from core.planning.resolution_table import resolution_table
from core.progress import Progress
from tests.records import rules, write_csv
from tests.ui.small_city import edit, loaded_session, pings
from tests.ui.user_actions import show as put_on_screen
from ui.distributions import resolutions as page
from ui.distributions.page import DistributionsTab
from ui.distributions.resolution_model import PENDING
from ui.distributions.resolution_rows import RowRequest, window_of
from ui.distributions.resolutions import ResolutionsSection
from ui.kit.jobs import wait_for_all
from ui.kit.theme import DARK, Mode, Theme
from ui.session.session import Session

pytestmark = pytest.mark.usefixtures("_no_work_left")

ROOT = Path(__file__).resolve().parents[3]
TIMEOUT = 10_000
MARK = "what was there before"


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The resolutions that workers were asked for, in order."""
    asked: list[int] = []
    real = page.compute_row

    def noting(request: RowRequest, progress: Progress) -> object:
        asked.append(request.key.resolution)
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


def ticked(section: ResolutionsSection) -> list[int]:
    return [resolution for resolution, box in section.checks.items() if box.isChecked()]


def test_importing_the_tab_does_not_import_pyqtgraph() -> None:
    code = "import ui.distributions.page, sys; assert 'pyqtgraph' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_the_section_that_is_looked_at_works(qtbot: QtBot, theme: Theme) -> None:
    tab = DistributionsTab(Session(find_home(None)), theme)
    qtbot.addWidget(tab)
    tab.show()
    bar = tab.sections.tabBar()
    assert [bar.tabText(at) for at in range(bar.count())] == ["Resolutions", "Suppression", "Values (CDF)"]
    qtbot.waitUntil(lambda: tab.resolutions.plot.ready, timeout=TIMEOUT)
    assert not tab.suppression.plot.ready
    assert not tab.cdf.plot.ready
    bar.setFocus()
    qtbot.keyClick(bar, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: tab.suppression.plot.ready, timeout=TIMEOUT)
    assert not tab.cdf.plot.ready
    qtbot.keyClick(bar, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: tab.cdf.complete, timeout=TIMEOUT)


def test_without_data_the_tab_says_what_to_do(qtbot: QtBot, theme: Theme, computed: list[int]) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    assert section.plot.empty.reason.isVisible()
    assert section.plot.empty.reason.text() == "No data yet"
    assert not section.badge.isVisible()
    assert not section.table.isVisible()
    assert computed == []


def test_a_hidden_tab_computes_nothing(
    qtbot: QtBot, theme: Theme, tmp_path: Path, computed: list[int]
) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = DistributionsTab(session, theme)
    qtbot.addWidget(tab)
    edit(qtbot, session, resolution=8)
    assert wait_for_all(10)
    assert computed == []
    assert not tab.resolutions.plot.ready


def test_the_drafts_resolution_stands_between_its_neighbours(
    qtbot: QtBot, theme: Theme, tmp_path: Path, computed: list[int]
) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    assert header(section) == ["6", "✓ 7", "8"]
    assert computed[0] == 7
    assert sorted(computed) == [6, 7, 8]
    edit(qtbot, session, resolution=10)
    finish(qtbot, section)
    assert header(section) == ["9", "✓ 10"]


def test_the_figures_are_those_of_the_command_line(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, threshold=2, hours=("09:00", "11:00"))
    section = shown(qtbot, session, theme)
    assert session.loaded is not None
    table = resolution_table(session.loaded.records, [6, 7, 8], window_of(session), 2)
    assert figures(section, "Mean area") == [f"{row.mean_area_km2:.3g}" for row in table.rows]
    assert figures(section, "Hexagons with records") == [str(row.cells) for row in table.rows]
    assert figures(section, "HATs with records") == [str(row.hats) for row in table.rows]
    assert figures(section, "Hexagons busy in every slot (≥ 2") == [
        f"{row.busy_share(2):.1%}" for row in table.rows
    ]
    assert figures(section, "Hexagons busy") == ["66.7%"] * 3
    assert figures(section, "HATs per vehicle and day, most") == [str(row.k_day) for row in table.rows]
    assert section.badge.isVisible()
    assert section.badge.text() == "Confidential"


def test_another_threshold_computes_nothing_anew(
    qtbot: QtBot, theme: Theme, tmp_path: Path, computed: list[int]
) -> None:
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, hours=("09:00", "11:00"))
    section = shown(qtbot, session, theme)
    before = len(computed)
    edit(qtbot, session, threshold=4)
    assert figures(section, "Hexagons busy in every slot (≥ 4") == ["33.3%"] * 3
    assert len(computed) == before


def test_coming_back_is_instant(qtbot: QtBot, theme: Theme, tmp_path: Path, computed: list[int]) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    before = list(computed)
    edit(qtbot, session, hours=("09:00", "10:00"))
    finish(qtbot, section)
    assert sorted(computed[len(before) :]) == [6, 7, 8]
    anew = len(computed)
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: figures(section, "HATs with records") == ["6", "6", "6"], timeout=TIMEOUT)
    assert section.complete
    section.hide()
    section.show()
    assert section.complete
    assert len(computed) == anew


def test_other_records_are_computed_anew(
    qtbot: QtBot, theme: Theme, tmp_path: Path, computed: list[int]
) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    before = len(computed)
    fewer = [ping for ping in pings() if not ping.vehicle.startswith("bus2")]
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(DataSource(files=(write_csv(tmp_path / "fewer.csv", fewer),), rules=rules()))
    finish(qtbot, section)
    assert figures(section, "Hexagons with records") == ["2", "2", "2"]
    assert len(computed) == before + 3


def test_ticked_resolutions_stay_when_the_draft_changes(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    section.checks[5].setFocus()
    qtbot.keyClick(section.checks[5], Qt.Key.Key_Space)
    finish(qtbot, section)
    assert header(section) == ["5", "6", "✓ 7", "8"]
    edit(qtbot, session, resolution=8)
    finish(qtbot, section)
    assert header(section) == ["5", "6", "7", "✓ 8"]
    for box in section.checks.values():
        box.setChecked(False)
    assert section.plot.empty.reason.text() == "No resolution is ticked"
    assert not section.badge.isVisible()
    assert not section.plot.computing.running


def test_the_histograms_follow_the_choice(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    pair = section.histograms
    assert pair.vehicles is not None
    assert pair.hats is not None
    assert section.shown.checkedId() == 7
    assert pair.vehicles.bins is not None
    assert pair.vehicles.bins.counts.tolist() == [2, 0, 2, 0, 2]
    assert [mark.name for mark in pair.vehicles.marks] == ["median 3"]
    assert [mark.name for mark in pair.hats.marks] == ["median 2", "K_day 2"]
    assert pair.figures[0].text() == "6 HAT-days: mean 3, most 5"
    assert pair.figures[1].text() == "9 vehicle-days: mean 2, most 2"
    assert pair.vehicles.accessibleName() == "Histogram of vehicles per HAT and day"
    assert pair.vehicles.accessibleDescription().startswith("Resolution 7. 6 HAT-days")
    section.checks[5].setChecked(True)
    finish(qtbot, section)
    assert section.shown.checkedId() == 7
    visible = [section.shown.id(button) for button in section.shown.buttons() if button.isVisible()]
    assert visible == [5, 6, 7, 8]
    section.shown.button(7).setFocus()
    qtbot.keyClick(section.shown.button(7), Qt.Key.Key_Left)
    assert pair.vehicles.accessibleDescription().startswith("Resolution 6.")
    section.checks[6].setChecked(False)
    assert section.shown.checkedId() == 7


def test_a_window_that_fits_nothing_is_explained(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    edit(qtbot, session, hours=("15:00", "16:00"))
    qtbot.waitUntil(
        lambda: section.plot.empty.reason.text() == "The window holds no record.", timeout=TIMEOUT
    )
    assert section.plot.empty.reason.isVisible()
    advice = section.plot.empty.advice
    assert advice.text().endswith("with the ingest report (`inspect`)")
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
        while request.key.resolution in self.slow:
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
    section = show(qtbot, loaded_session(qtbot, tmp_path), theme)
    assert not section.progress.isVisible()
    place = section.plot.pos()
    qtbot.waitUntil(section.progress.isVisible, timeout=TIMEOUT)
    qtbot.waitUntil(lambda: figures(section, "HATs with records") == ["6", "6", PENDING], timeout=TIMEOUT)
    qtbot.waitUntil(lambda: section.progress.value() == round(1000 * 2.5 / 3), timeout=TIMEOUT)
    assert section.stop.isVisible()
    assert section.plot.pos() == place
    slow.clear()
    finish(qtbot, section)
    assert figures(section, "HATs with records") == ["6", "6", "6"]
    assert not section.progress.isVisible()
    assert not section.stop.isVisible()


def test_stop_keeps_what_is_ready(qtbot: QtBot, theme: Theme, tmp_path: Path, slow: set[int]) -> None:
    section = show(qtbot, loaded_session(qtbot, tmp_path), theme)
    qtbot.waitUntil(section.stop.isVisible, timeout=TIMEOUT)
    qtbot.waitUntil(lambda: section._running is not None and section._running.resolution == 8)
    section.stop.click()
    qtbot.waitUntil(lambda: ticked(section) == [6, 7], timeout=TIMEOUT)
    assert section.complete
    assert header(section) == ["6", "✓ 7"]
    assert not section.stop.isVisible()
    slow.clear()
    section.checks[8].setChecked(True)
    finish(qtbot, section)
    assert header(section) == ["6", "✓ 7", "8"]


def test_hiding_the_tab_stops_the_work(qtbot: QtBot, theme: Theme, tmp_path: Path, slow: set[int]) -> None:
    section = show(qtbot, loaded_session(qtbot, tmp_path), theme)
    qtbot.waitUntil(lambda: section._running is not None and section._running.resolution == 8)
    section.hide()
    qtbot.waitUntil(lambda: section._running is None, timeout=TIMEOUT)
    assert wait_for_all(10)
    slow.clear()
    section.show()
    finish(qtbot, section)


def test_the_theme_is_followed_without_new_widgets(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    section = shown(qtbot, loaded_session(qtbot, tmp_path), theme)
    canvas = section.histograms.vehicles
    assert canvas is not None
    theme.set_mode(Mode.DARK)
    assert section.histograms.vehicles is canvas
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
        for label in section.histograms.figures
    )


def test_everything_is_named_and_reached_by_keyboard(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    section = shown(qtbot, loaded_session(qtbot, tmp_path), theme)
    assert section.table.accessibleName() == "Resolution table"
    role = Qt.ItemDataRole.AccessibleTextRole
    assert section.model.index(2, 2).data(role) == "HATs with records, resolution 7: 6"
    for widget in (*section.checks.values(), *section.shown.buttons()):
        assert "resolution" in widget.accessibleName()
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert section.table.focusPolicy() & Qt.FocusPolicy.TabFocus
    section.table.setCurrentIndex(section.model.index(0, 1))
    qtbot.keyClick(section.table, Qt.Key.Key_Down)
    assert section.table.currentIndex().row() == 1


def test_what_the_session_has_indexed_is_not_indexed_again(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, bool]] = []
    real = page.compute_row

    def noting(request: RowRequest, progress: Progress) -> object:
        asked.append((request.key.resolution, request.contributions is not None))
        return real(request, progress)

    monkeypatch.setattr(page, "compute_row", noting)
    session = loaded_session(qtbot, tmp_path)
    section = shown(qtbot, session, theme)
    assert asked == [(7, True), (6, False), (8, False)]
    asked.clear()
    session.edit("change", hours=("09:00", "11:00"))
    qtbot.waitUntil(lambda: len(asked) == 3, timeout=TIMEOUT)
    finish(qtbot, section)
    assert asked == [(7, True), (6, False), (8, False)]


def test_the_repr_of_a_request_tells_no_counts(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    assert session.loaded is not None
    key = page.RowKey(window_of(session), 6)
    request = page.row_request(session, session.loaded.records, key)
    assert repr(request).startswith("<confidential RowRequest")
