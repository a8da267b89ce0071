"""The tab *Table*: filter, order, the chosen HAT both ways, and copying."""

from __future__ import annotations

import threading
import time
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.bundle.smoothed_facts import caveat
from core.privacy import Relation, Unit
from core.release.prepare_publish import PublishedRelease
from core.system.paths import find_home
from tests.builders import make_city_query, make_query, make_release, make_rows
from tests.ui.languages import spoken
from tests.ui.small_city import edit, loaded_session, many_rows, planned_session
from tests.ui.user_actions import are_faint
from tests.ui.user_actions import show as put_on_screen
from ui.kit.jobs import wait_for_all
from ui.kit.theme import Mode, Theme
from ui.language.translation import catalogue_of
from ui.session.session import Session
from ui.table.model import DASH
from ui.table.page import TableTab
from ui.table.sortable_rows import SortableRows, sortable

pytestmark = pytest.mark.usefixtures("_no_work_left")

ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
MARK = "what was there before"


@pytest.fixture(autouse=True)
def _marked_clipboard(qapp: QApplication) -> None:  # noqa: ARG001 - the clipboard is its
    QGuiApplication.clipboard().setText(MARK)


def show(qtbot: QtBot, session: Session, theme: Theme) -> TableTab:
    tab = TableTab(session, theme)
    put_on_screen(qtbot, tab, width=760, height=560)
    if session.overview is not None:
        qtbot.waitUntil(lambda: tab.model.total > 0, timeout=10_000)
    return tab


def copied() -> str:
    return QGuiApplication.clipboard().text()


def press_copy(qtbot: QtBot, tab: TableTab) -> None:
    tab.view.setFocus()
    qtbot.keyClick(tab.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)


def test_only_a_table_with_numbers_of_the_records_is_called_confidential(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    for shown, called in ((Session(find_home(None)), False), (session, True)):
        tab = show(qtbot, shown, theme)
        assert tab.badge.isVisible() is called
        assert ("Columns with a lock" in tab.hint.text()) is called


def test_rows_that_stay_because_the_choices_do_not_fit_are_at_half_ink(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    tab = show(qtbot, session, theme)
    edit(qtbot, session, slot_minutes=240, hours=("08:00", "13:00"))
    qtbot.waitUntil(lambda: are_faint(tab.view.viewport()) == (True,))
    edit(qtbot, session, threshold=50, slot_minutes=60)
    assert are_faint(tab.view.viewport()) == (False,), "no hexagon slot is selected; the counts are of now"


def test_the_tag_stands_behind_the_count_on_a_narrow_tab_too(qtbot: QtBot, theme: Theme) -> None:
    tab = show(qtbot, Session(find_home(None)), theme)
    tab.badge.show()
    for width in range(600, 320, -40):
        tab.resize(width, 560)
        QApplication.processEvents()
        count, tag = (one.mapTo(tab, one.rect().center()).y() for one in (tab.count, tab.badge))
        assert abs(count - tag) < 3


def test_no_gap_opens_between_filter_and_switches_on_a_narrow_tab(qtbot: QtBot, theme: Theme) -> None:
    tab = show(qtbot, Session(find_home(None)), theme)
    tab.smoothed.show()
    tab.count.setText("323 of 323 hexagon slots")
    for width in range(760, 320, -40):
        tab.resize(width, 560)
        QApplication.processEvents()
        beside = [
            right.x() - left.geometry().right()
            for left, right in pairwise((tab.filter, tab.selected_only, tab.smoothed))
            if right.x() > left.x()
        ]
        assert all(gap < 16 for gap in beside), f"{width} pixels: {beside}"


def test_the_head_goes_on_above_the_scroll_bar(qtbot: QtBot, theme: Theme) -> None:
    tab = show(qtbot, Session(find_home(None)), theme)
    tab.model.set_rows(sortable(many_rows(400)))
    tab.view.follow_columns()
    view, header = tab.view, tab.view.horizontalHeader()
    qtbot.waitUntil(view.verticalScrollBar().isVisible, timeout=10_000)

    def beside() -> set[str]:
        image = view.grab().toImage()
        right = view.viewport().geometry().right()
        return {image.pixelColor(right + 5, y).name() for y in range(3, header.height() - 2)}

    for mode in (Mode.LIGHT, Mode.DARK):
        theme.set_mode(mode)
        # a busy machine lays the bar out anew some events after the theme
        qtbot.waitUntil(lambda: beside() == {theme.colours.raised}, timeout=10_000)


def test_without_data_the_tab_says_so(qtbot: QtBot, theme: Theme) -> None:
    tab = show(qtbot, Session(find_home(None)), theme)
    assert tab.count.text() == "No data yet"
    assert tab.model.rowCount() == 0
    tab.view.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    press_copy(qtbot, tab)
    assert copied() == MARK


def test_what_the_filter_takes_is_not_cut(qtbot: QtBot, theme: Theme) -> None:
    field = show(qtbot, Session(find_home(None)), theme).filter
    told = field.fontMetrics().horizontalAdvance(field.placeholderText())
    assert told + 24 <= field.width()


def test_the_count_follows_filter_and_switch(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = show(qtbot, planned_session(qtbot, tmp_path), theme)
    assert tab.count.text() == "6 of 6 hexagon slots"
    qtbot.keyClicks(tab.filter, "09")
    assert tab.count.text() == "3 of 6 hexagon slots"
    tab.selected_only.click()
    assert tab.count.text() == "2 of 6 hexagon slots"
    tab.filter.clear()
    assert tab.count.text() == "4 of 6 hexagon slots"


def test_nobody_s_protection_is_open_above_figures_without_it_being_said(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    assert tab.hint.text().startswith("Who is protected is not chosen yet.")
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=3)
    qtbot.waitUntil(lambda: tab.hint.text().startswith("Columns with a lock"), timeout=10_000)


def test_its_sentences_end_as_those_of_the_language_do(
    qapp: QApplication, qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    """In Hindi with a danda right behind the word; a blank keeps it from figures alone."""
    with spoken(qapp, catalogue_of("hi")):
        session = loaded_session(qtbot, tmp_path)
        tab = show(qtbot, session, theme)
        assert ". " not in tab.hint.text()
        edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=3)
        release = make_release(queries=(make_city_query(),))
        with qtbot.waitSignal(session.ledger_changed, timeout=10_000):
            session.release.set_published(
                PublishedRelease(bundle=tmp_path, entry=1, repeated=False, release=release)
            )
        qtbot.waitUntil(lambda: tab.model.has_release, timeout=10_000)
        tab.smoothed.click()
        told = tab.hint.text()
        assert "स्मूद" in told
        assert "\u00a0।" not in told
        assert told.endswith("लें।")


def epsilons(tab: TableTab) -> set[str]:
    return {tab.model.index(row, 6).data() for row in range(tab.model.shown)}


def test_figures_of_a_plan_wait_for_the_relation(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    edit(qtbot, session, unit=Unit.VEHICLE, threshold=3)
    assert wait_for_all(10)
    assert epsilons(tab) == {DASH}
    edit(qtbot, session, relation=Relation.VALUES)
    qtbot.waitUntil(lambda: len(epsilons(tab)) == 2, timeout=10_000)


def test_a_hidden_table_catches_up_when_shown(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = TableTab(session, theme)
    qtbot.addWidget(tab)
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=3)
    assert tab.model.total == 0
    tab.show()
    qtbot.waitUntil(lambda: tab.model.total == 6, timeout=10_000)


def test_rows_are_sorted_beside_the_window(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)
    threads: list[threading.Thread] = []
    order = SortableRows.order

    def noting(rows: SortableRows, key: str, *, descending: bool) -> object:
        if rows.known_order is None and len(rows.rows):
            threads.append(threading.current_thread())
        return order(rows, key, descending=descending)

    monkeypatch.setattr(SortableRows, "order", noting)
    tab = show(qtbot, session, theme)
    tab.view.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    with qtbot.waitSignal(tab.model.modelReset, timeout=10_000):
        session.forecast_changed.emit()
    assert tab.model.sorted_by == (tab.model.columns[2].key, True)
    assert len(threads) == 2, "once for the table as it comes, once for the order that was chosen"
    assert threading.main_thread() not in threads


def test_a_click_on_a_header_sorts(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = show(qtbot, planned_session(qtbot, tmp_path), theme)
    header = tab.view.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(4) + header.sectionSize(4) // 2, header.height() // 2)
    for expected in (["1", "1", "3", "3", "5", "5"], ["5", "5", "3", "3", "1", "1"]):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert [tab.model.index(row, 4).data() for row in range(6)] == expected


def test_a_row_chooses_its_hat_everywhere(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    with qtbot.waitSignal(session.hat_chosen):
        at = tab.view.visualRect(tab.model.index(3, 1)).center()
        qtbot.mouseClick(tab.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert session.chosen.hat == tab.model.hat_at(3)
    qtbot.keyClick(tab.view, Qt.Key.Key_Down)
    assert session.chosen.hat == tab.model.hat_at(4)
    assert session.chosen.slot == tab.model.hat_at(4)[1]


def test_the_hat_chosen_elsewhere_is_the_current_row(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    hat = tab.model.hat_at(4)
    session.chosen.choose_hat(*hat)
    assert tab.view.currentIndex().row() == 4
    tab.view.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert tab.model.hat_at(tab.view.currentIndex().row()) == hat
    assert session.chosen.hat == hat
    session.chosen.choose_hat(None)
    assert not tab.view.currentIndex().isValid()
    assert not tab.view.selectionModel().hasSelection()


def test_a_filtered_out_hat_stays_chosen_and_comes_back(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    hat = tab.model.hat_at(4)
    session.chosen.choose_hat(*hat)
    tab.filter.setText("zz")
    assert session.chosen.hat == hat
    tab.filter.clear()
    assert tab.model.hat_at(tab.view.currentIndex().row()) == hat
    assert tab.view.selectionModel().isRowSelected(tab.view.currentIndex().row())


def test_copying_before_a_release_gives_selected_hats(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    tab.view.selectAll()
    with qtbot.waitSignal(session.noted) as noted:
        press_copy(qtbot, tab)
    assert noted.args == ["4 of 6 rows copied: names of selected hexagon slots only."]
    assert copied().splitlines()[0] == "h3_cell\tslot_start"
    assert len(copied().splitlines()) == 5


@pytest.mark.parametrize("key", [0, 2, 7])
def test_copying_without_a_relation_leaves_the_clipboard(
    qtbot: QtBot, theme: Theme, tmp_path: Path, key: int
) -> None:
    session = loaded_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    tab.view.selectionModel().setCurrentIndex(tab.model.index(0, key), ROW)
    with qtbot.waitSignal(session.noted) as noted:
        press_copy(qtbot, tab)
    assert noted.args is not None
    assert noted.args[0].startswith("Nothing copied: before a release")
    assert copied() == MARK


def test_copying_with_no_row_selected_says_so(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    tab.view.clearSelection()
    with qtbot.waitSignal(session.noted) as noted:
        press_copy(qtbot, tab)
    assert noted.args == ["Nothing copied: no row is selected."]


def test_a_release_is_shown_and_copied(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    release = make_release(queries=(make_query(rows=make_rows()),))
    with qtbot.waitSignal(session.ledger_changed, timeout=10_000):
        session.release.set_published(
            PublishedRelease(bundle=tmp_path, entry=1, repeated=False, release=release)
        )
    qtbot.waitUntil(lambda: tab.model.has_release, timeout=10_000)
    assert tab.model.columnCount() == 13
    tab.view.selectAll()
    with qtbot.waitSignal(session.noted) as noted:
        press_copy(qtbot, tab)
    asked = tab.model.total
    assert noted.args == [f"{len(make_rows())} of {asked} rows copied: released columns only."]
    assert copied().startswith("h3_cell\th3_resolution\tslot_start")


def test_columns_fill_a_wide_tab_and_keep_their_width_in_a_narrow_one(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    tab = show(qtbot, planned_session(qtbot, tmp_path), theme)
    header = tab.view.horizontalHeader()
    tab.resize(1400, 600)
    assert header.length() == tab.view.viewport().width()
    tab.resize(300, 600)
    assert header.length() > tab.view.viewport().width()
    hexagon = tab.view.fontMetrics().horizontalAdvance(tab.model.hat_at(0)[0])
    assert header.sectionSize(1) >= hexagon


def test_the_right_edge_shows_no_part_of_a_figure(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = show(qtbot, planned_session(qtbot, tmp_path), theme)
    header = tab.view.horizontalHeader()
    for width in (480, 560, 640, 666):
        tab.resize(width, 600)
        room = tab.view.viewport().width()
        assert header.length() > room
        ends = [header.sectionViewportPosition(column) for column in range(1, header.count())]
        assert room in ends, f"{room}: {ends}"


def test_both_themes_paint(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    tab = show(qtbot, planned_session(qtbot, tmp_path), theme)
    light = tab.view.grab().toImage()
    theme.set_mode(Mode.DARK)
    assert tab.view.grab().toImage() != light
    theme.set_mode(Mode.LIGHT)


def test_painting_takes_no_longer_with_every_row_selected(qtbot: QtBot, theme: Theme) -> None:
    tab = show(qtbot, Session(find_home(None)), theme)
    tab.model.set_rows(sortable(many_rows(5000)))

    def paint() -> float:
        start = time.thread_time()
        tab.view.grab()
        return time.thread_time() - start

    none = min(paint() for _ in range(5))
    tab.view.selectAll()
    every = min(paint() for _ in range(5))
    # tenfold while the header looked at the selection
    assert every < 3 * none


def test_raw_and_smoothed_numbers_change_places(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    assert not tab.smoothed.isVisible()
    release = make_release(queries=(make_city_query(),))
    with qtbot.waitSignal(session.ledger_changed, timeout=10_000):
        session.release.set_published(
            PublishedRelease(bundle=tmp_path, entry=1, repeated=False, release=release)
        )
    qtbot.waitUntil(lambda: tab.model.has_release, timeout=10_000)
    assert tab.smoothed.isVisible()
    keys = [column.key for column in tab.model.columns]
    assert keys[:5] == ["slot", "hexagon", "mean", "low", "high"], "seen in a narrow tab too"
    assert keys[-2:] == ["modelled", "effective"]
    public = (*tab.model.columns[:5], *tab.model.columns[-2:])
    assert not any(column.confidential for column in public)
    tab.view.sortByColumn(keys.index("mean"), Qt.SortOrder.DescendingOrder)
    raw = shown_values(tab, "mean")
    assert caveat() not in tab.hint.text()
    tab.smoothed.click()
    assert shown_values(tab, "smoothed_mean") == [f"{float(value) + 1:.2f}" for value in raw]
    assert tab.model.order == (keys.index("mean"), Qt.SortOrder.DescendingOrder)
    assert caveat() in tab.hint.text()
    assert set(shown_values(tab, "effective")) == {"12.5"}
    assert set(shown_values(tab, "modelled")) == {"0.80"}
    tab.smoothed.click()
    assert shown_values(tab, "mean") == raw


def shown_values(tab: TableTab, key: str) -> list[str]:
    """Of a column, from above, without rows that have none."""
    at = [column.key for column in tab.model.columns].index(key)
    found = [tab.model.index(row, at).data() for row in range(tab.model.shown)]
    return [text for text in found if text != DASH]


def test_a_joint_plan_brings_its_columns_with_a_lock(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    assert "effective" not in [column.key for column in tab.model.columns]
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    qtbot.waitUntil(lambda: not session.planning.smoothing and not session.busy, timeout=10_000)
    qtbot.waitUntil(lambda: tab.model.columns[-1].key == "effective", timeout=10_000)
    assert [(column.key, column.confidential) for column in tab.model.columns[-2:]] == [
        ("modelled", True),
        ("effective", True),
    ]
    assert session.forecast is not None
    assert session.forecast.plan is not None
    assert session.forecast.plan.smoothed_errors is not None
    errors = sorted(f"{error:.2f}" for error in session.forecast.plan.smoothed_errors)
    qtbot.waitUntil(lambda: sorted(shown_values(tab, "typical")) == errors, timeout=10_000)


def test_selected_rows_are_marked_everywhere(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    places = [tab.view.visualRect(tab.model.index(row, 1)).center() for row in range(6)]
    for row, key in ((1, Qt.KeyboardModifier.NoModifier), (3, Qt.KeyboardModifier.ShiftModifier)):
        qtbot.mouseClick(tab.view.viewport(), Qt.MouseButton.LeftButton, key, places[row])
    assert session.marked.hats == {tab.model.hat_at(row) for row in (1, 2, 3)}
    qtbot.mouseClick(
        tab.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, places[2]
    )
    assert session.marked.hats == {tab.model.hat_at(row) for row in (1, 3)}
    assert tab.view.selectionModel().isRowSelected(1)
    qtbot.keyClick(tab.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(session.marked.hats) == 6


def test_the_keyboard_coming_to_the_table_chooses_nothing(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    for reason in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
        tab.view.clearFocus()
        tab.view.focusInEvent(QFocusEvent(QEvent.Type.FocusIn, reason))
        assert session.chosen.hat is None
    qtbot.keyClick(tab.view, Qt.Key.Key_Down)
    assert session.chosen.hat is not None


def tinted(tab: TableTab) -> list[int]:
    role = Qt.ItemDataRole.BackgroundRole
    return [row for row in range(tab.model.shown) if tab.model.index(row, 0).data(role) is not None]


def test_what_is_marked_elsewhere_is_tinted_and_can_be_kept_alone(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    assert not tab.marked_only.isVisible()
    wanted = {tab.model.hat_at(row) for row in (0, 4)}
    plain = tab.view.grab().toImage()
    session.marked.take(wanted)
    assert tinted(tab) == [0, 4]
    assert tab.view.grab().toImage() != plain, "the style sheet paints over no tint"
    assert not tab.view.selectionModel().hasSelection()
    tab.view.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert {tab.model.hat_at(row) for row in tinted(tab)} == wanted
    tab.marked_only.click()
    assert tab.count.text() == "2 of 6 hexagon slots"
    at = tab.view.visualRect(tab.model.index(1, 1)).center()
    qtbot.mouseClick(tab.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert session.chosen.hat == tab.model.hat_at(1)
    assert session.marked.hats == wanted, "walking through marked hexagon slots keeps the marks"
    session.chosen.clear_marks()
    assert not tab.marked_only.isVisible()
    assert tab.count.text() == "6 of 6 hexagon slots"


def test_marked_rows_are_copied_as_far_as_they_are_public(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    session.marked.take(tab.model.hats_at(range(6)))
    with qtbot.waitSignal(session.noted) as noted:
        press_copy(qtbot, tab)
    assert noted.args == ["4 of 6 rows copied: names of selected hexagon slots only."]


def test_numbers_of_a_practice_or_of_other_settings_are_called_so(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    session = planned_session(qtbot, tmp_path)
    tab = show(qtbot, session, theme)
    assert tab.hint.text().startswith("Columns with a lock")
    practised = PublishedRelease(
        bundle=tmp_path / "practice-bus-1.0.0", entry=1, repeated=False, release=make_release()
    )
    session.release.set_practised(practised)
    told = "PRACTICE: this is no release."
    qtbot.waitUntil(lambda: tab.hint.text().startswith(f"{told} Columns with a lock"), timeout=10_000)
    session.edit("Population", population="Trams")  # nothing is planned anew for that
    told += " Made with other settings than those chosen now."
    assert tab.hint.text().startswith(f"{told} Columns with a lock")
    tab.view.selectAll()
    with qtbot.waitSignal(session.noted) as noted:
        press_copy(qtbot, tab)
    assert noted.args[0].endswith(f"released columns only. {told}")
    first, header, *_ = copied().splitlines()
    assert first == "PRACTICE: this is no release."
    assert header.startswith("h3_cell\t")
