"""ui.errors.city_methods: predicted from counts; true errors are nowhere before the ledger holds the mark."""

from __future__ import annotations

import threading
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.evaluate.city_comparison import METHODS, RELEASES, CityErrors
from core.privacy import Relation
from core.progress import Progress, silent
from core.statistics.registry import require_statistic
from core.system.paths import find_home
from tests.ui.small_city import TIMEOUT, edit, loaded_session, pings, planned_session
from tests.ui.user_actions import press, show, texts
from ui.errors import city_methods as module
from ui.errors.city_methods import CityMethodsSection
from ui.errors.city_methods_model import SHARE, CityMethodsModel, ErrorBarDelegate, MethodRow
from ui.errors.city_request import CityRequest, city_request, compare_methods
from ui.errors.method_tips import method_tip
from ui.kit.figure_view import FigureView
from ui.kit.theme import Mode, Theme
from ui.session.session import Session

POPULATION = "Buses"


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(total=Decimal(60)), mechanism="tokens", parameters={"mode": "exact"})
    session.edit("Population", population=POPULATION)
    settle(qtbot, session)
    return session


def settle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)


def made(qtbot: QtBot, session: Session, theme: Theme) -> CityMethodsSection:
    section = CityMethodsSection(session, theme)
    show(qtbot, section, width=700, height=560)
    return section


def compare(qtbot: QtBot, section: CityMethodsSection) -> None:
    with qtbot.waitSignal(section.job.finished, timeout=TIMEOUT):
        press(qtbot, section.compare)


def cells(section: CityMethodsSection) -> list[list[str]]:
    """Every text of the table, its headings first."""
    model = section.model
    heads = [
        str(model.headerData(column, Qt.Orientation.Horizontal)) for column in range(model.columnCount())
    ]
    rows = [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
    return [heads, *rows]


def confirm(qtbot: QtBot, section: CityMethodsSection, session: Session) -> None:
    """Until it has compared in the order of the population, which gets its key with the mark."""
    press(qtbot, section.reveal)
    assert section.dialog is not None
    with qtbot.waitSignal(section.job.finished, timeout=TIMEOUT):
        section.dialog.show_errors.click()
    settled(qtbot, section, session)


def settled(qtbot: QtBot, section: CityMethodsSection, session: Session) -> None:
    qtbot.waitUntil(
        lambda: session.planning.is_planned_as_charged and not session.busy and not section.job.running,
        timeout=TIMEOUT,
    )


def test_predicted_errors_are_the_core_s(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = made(qtbot, session, theme)
    assert not section.table.isVisible()
    assert not section.badge.isVisible()
    compare(qtbot, section)
    request = city_request(session)
    assert isinstance(request, CityRequest)
    found = compare_methods(request, 0, silent)
    told = {row[0].removeprefix("✓ ").lower(): row[1:] for row in cells(section)[1:]}
    for one in found:
        shown = told[one.method.title.lower()][int(one.smoothed)]
        assert shown == f"{one.predicted:.2f}"
    assert len(told) == len({one.method.key for one in found})
    least = [min(one.predicted for one in found if one.predicted and one.smoothed == kind) for kind in (0, 1)]
    assert f"{min(least):.2f}" in cells(section)[1], "the smallest error comes first"
    assert section.badge.isVisible()
    assert "epsilon 60 per vehicle" in texts(section)


def test_what_a_method_does_is_told_on_its_name(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    model = section.model
    tips = [str(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)) for row in range(model.rowCount())]
    told = [
        str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleDescriptionRole))
        for row in range(model.rowCount())
    ]
    assert sorted(told) == sorted(method_tip(method) for method in METHODS if not method.gaussian)
    assert all(what in tip for what, tip in zip(told, tips, strict=True))
    assert "Rest the pointer on a name" in texts(section)
    assert "✓: the method of your draft" in texts(section)


def test_no_true_value_is_looked_at_or_shown_before_the_confirmation(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counting(request: CityRequest, releases: int, progress: Progress) -> tuple[CityErrors, ...]:
        asked.append(releases)
        return compare_methods(request, releases, progress)

    monkeypatch.setattr(module, "compare_methods", counting)
    section = made(qtbot, session, theme)
    assert not section.reveal.isVisible(), "there is nothing to set true errors against"
    compare(qtbot, section)
    before = cells(section)
    assert not any("True" in head for head in before[0])
    press(qtbot, section.reveal)
    assert section.dialog is not None
    section.dialog.reject()
    assert asked == [0]
    assert cells(section) == before
    assert not find_home().ledger.exists()
    confirm(qtbot, section, session)
    assert asked[0] == 0
    assert set(asked[1:]) == {RELEASES}, "and again in the order of the population, which is new"
    assert Ledger.open(find_home().ledger).was_evaluated(POPULATION)
    after = cells(section)
    assert [head.split("\n")[0] for head in after[0][1:]] == ["Predicted", "Predicted", "True", "True"]
    assert [row[:3] for row in after[1:]] == [row[:3] for row in before[1:]]
    assert "Keep them to yourself" in texts(section)


def test_the_mark_comes_before_any_value(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked: list[bool] = []

    def looking(request: CityRequest, releases: int, progress: Progress) -> tuple[CityErrors, ...]:
        if releases:
            marked.append(Ledger.open(find_home().ledger).was_evaluated(POPULATION))
        return compare_methods(request, releases, progress)

    monkeypatch.setattr(module, "compare_methods", looking)
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    confirm(qtbot, section, session)
    assert set(marked) == {True}


def test_true_errors_go_with_the_population_that_was_confirmed(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    before = cells(section)
    confirm(qtbot, section, session)
    assert cells(section) != before
    edit(qtbot, session, population="Trams")
    assert cells(section) == before
    qtbot.waitUntil(lambda: not section.job.running, timeout=TIMEOUT)
    assert cells(section) == before
    section.dialog = None
    press(qtbot, section.reveal)
    assert section.dialog is not None, "another population is another question"
    section.dialog.reject()
    edit(qtbot, session, population=POPULATION)
    section.dialog = None
    with qtbot.waitSignal(section.job.finished, timeout=TIMEOUT):
        press(qtbot, section.reveal)
    assert section.dialog is None, "it was confirmed in this window"


def test_vehicles_in_the_order_of_another_population_are_compared_again(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    for population in (POPULATION, "Trams"):
        Ledger.open(find_home().ledger).set_limit(population, per_vehicle=Decimal(1000))
    session.ledger.read()
    qtbot.waitUntil(
        lambda: session.planning.is_planned_as_charged, timeout=TIMEOUT
    )  # else it is that of nobody
    settle(qtbot, session)
    asked: list[CityRequest] = []

    def heard(request: CityRequest, releases: int, progress: Progress) -> tuple[CityErrors, ...]:
        asked.append(request)
        return compare_methods(request, releases, progress)

    monkeypatch.setattr(module, "compare_methods", heard)
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    before = session.planning.tie_key
    edit(qtbot, session, population="Trams")
    settled(qtbot, section, session)  # it is planned without a key while that is read
    assert session.planning.tie_key != before
    assert session.forecast is not None
    assert asked[-1].city.users is session.forecast.users
    assert asked[-1].city.users is not asked[0].city.users
    assert section.table.isVisible()
    times = len(asked)
    session.edit("Title", title="Another title")
    assert len(asked) == times, "the order is the same"


def test_what_comes_when_the_population_is_another_one_stays_unseen(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(request: CityRequest, releases: int, progress: Progress) -> tuple[CityErrors, ...]:
        found = compare_methods(request, releases, progress)
        assert go_on.wait(10)
        return found

    section = made(qtbot, session, theme)
    compare(qtbot, section)
    before = cells(section)
    monkeypatch.setattr(module, "compare_methods", slow)
    press(qtbot, section.reveal)
    assert section.dialog is not None
    with qtbot.waitSignal(section.dialog.accepted, timeout=TIMEOUT):
        section.dialog.show_errors.click()
    session.edit("Population", population="Trams")
    with qtbot.waitSignal(section.job.finished, timeout=TIMEOUT):
        go_on.set()
    assert cells(section) == before


def test_a_row_stays_selected_while_nothing_changes(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    section.table.selectRow(2)
    session.edit("Title", title="Another title")
    assert section.table.currentIndex().row() == 2


def test_predicted_errors_do_not_follow_values_and_true_ones_do(qtbot: QtBot, tmp_path: Path) -> None:
    found = []
    for name, top in (("a", 60.0), ("b", 20.0)):
        city = pings(lambda bus, step, top=top: top - 3 * bus - step / 9)
        session = planned_session(qtbot, tmp_path / name, city)
        edit(qtbot, session, budget=Budget(total=Decimal(60)))
        request = city_request(session)
        assert isinstance(request, CityRequest)
        found.append((compare_methods(request, 0, silent), compare_methods(request, 2, silent)))
    (one, one_true), (other, other_true) = found
    assert [row.to_json() for row in one] == [row.to_json() for row in other]
    assert [row.predicted for row in one_true] == [row.predicted for row in one]
    assert [row.median for row in one_true] != [row.median for row in other_true]


def test_it_can_be_stopped_and_keeps_what_was_there(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_request: CityRequest, _releases: int, progress: Progress) -> Any:
        while True:
            progress(0.3, "Comparing: tokens")
            time.sleep(0.005)

    section = made(qtbot, session, theme)
    compare(qtbot, section)
    before = cells(section)
    monkeypatch.setattr(module, "compare_methods", endless)
    press(qtbot, section.compare)
    qtbot.waitUntil(lambda: section.progress.value() == 300, timeout=TIMEOUT)
    assert section.doing.text() == "Comparing: tokens"
    assert not section.compare.isEnabled()
    assert not section.reveal.isEnabled()
    with qtbot.waitSignals([section.job.cancelled, section.job.finished], timeout=TIMEOUT):
        press(qtbot, section.stop)
    assert not section.stop.isVisible()
    assert section.compare.isEnabled()
    assert cells(section) == before
    assert "Stopped" in section.message.text


def test_another_question_lets_go_of_the_answers(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    assert section.model.rowCount()
    edit(qtbot, session, budget=Budget(total=Decimal(80)))
    assert section.model.rowCount() == 0
    assert not section.table.isVisible()
    assert not section.badge.isVisible()


def test_the_draft_s_own_method_is_marked(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = made(qtbot, session, theme)
    compare(qtbot, section)

    def marked() -> list[str]:
        return [row[0] for row in cells(section)[1:] if row[0].startswith("✓")]

    assert marked() == ["✓ Tokens exact, Laplace"]
    edit(qtbot, session, parameters={"mode": "split"})
    assert marked() == ["✓ Tokens split, Laplace"]
    edit(qtbot, session, mechanism="array-averaging", parameters={})
    assert marked() == ["✓ Equal budgets, Array-Averaging"]
    edit(qtbot, session, mechanism="array-averaging", parameters={"suppress_users": True})
    assert marked() == ["✓ Suppression, Array-Averaging"]


def test_what_no_advice_names_is_said_to_be_an_option(qtbot: QtBot, session: Session, theme: Theme) -> None:
    said = (
        "The recommendation leaves zoom out. Find it as “Measure in two steps (zoom)” of Tokens in step "
        "Parameters."
    )
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    assert said not in section.note.text(), "no population has a delta: there is no such row"
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(100), delta=Decimal("0.000001"))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):  # planned anew for the delta
        session.ledger.read()
    settle(qtbot, session)
    assert section.intro.text().endswith(" The rows named Gaussian are at delta 1e-6.")
    compare(qtbot, section)
    assert said in section.note.text()
    edit(qtbot, session, parameters={"mode": "split", "noise": "gauss", "zoom": True})
    settle(qtbot, session)
    assert "✓ Tokens split and zoom, Gaussian" in [row[0] for row in cells(section)]
    assert said not in section.note.text()


def test_the_bars_that_tell_nothing_are_named_by_themselves(
    qtbot: QtBot, session: Session, theme: Theme
) -> None:
    edit(qtbot, session, budget=Budget(total=Decimal(2)))
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    for mode in (Mode.DARK, Mode.LIGHT):
        theme.set_mode(mode)
        assert section.blind.isVisible()
        assert f"color:{theme.colours.warning}" in section.blind.text(), "a brown bar is not amber"
    assert "No better than one number for the whole city" in section.blind.text()
    assert "Amber" not in f"{section.note.text()} {section.blind.text()}"
    edit(qtbot, session, budget=Budget(total=Decimal(60_000)))
    compare(qtbot, section)
    assert not section.blind.isVisible(), "there is no such bar"


@pytest.mark.usefixtures("theme")
def test_bars_of_all_columns_are_to_one_scale(qtbot: QtBot) -> None:
    """Columns are as wide as their heads where there is little room: `True` is shorter than `Predicted`."""
    model = CityMethodsModel()
    view = FigureView(model)
    bars = ErrorBarDelegate(view)
    bars.colour = bars.blind = QColor("red")
    view.setItemDelegate(bars)
    errors = ((0.9, 1.0, 0.77, 0.53), (14.28, 4.58, 12.32, 3.03), (15.1, 4.68, 13.18, None))
    rows = [
        MethodRow(
            key=str(number),
            title="Suppression, Array-Averaging",
            tip="",
            hats=48,
            predicted_raw=raw,
            predicted_smoothed=smoothed,
            true_raw=true,
            true_smoothed=true_smoothed,
        )
        for number, (raw, smoothed, true, true_smoothed) in enumerate(errors)
    ]
    model.show_rows(rows, require_statistic("mean").measures[0], None)
    show(qtbot, view, width=500, height=300)
    widths = {view.columnWidth(column) for column in range(1, 5)}
    assert len(widths) > 1, "there is room for columns that are alike"
    picture, red = view.viewport().grab().toImage(), bars.colour.rgb()
    drawn = []
    for row in range(len(errors)):
        for column in range(1, 5):
            index = model.index(row, column)
            box, share = view.visualRect(index), index.data(SHARE)
            inside = range(box.left(), box.right() + 1)
            length = sum(picture.pixel(x, box.bottom() - 2) == red for x in inside)
            drawn.append((share or 0, length))
    longest = max(length for _, length in drawn)
    assert longest > 30
    assert all(abs(length - share * longest) <= 1 for share, length in drawn)


def test_nothing_that_is_told_contradicts_the_tag(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    assert section.badge.text() == "Confidential"
    assert "public" not in section.intro.text()
    assert "Predicted errors follow from numbers of records, never from their values." in texts(section)


def test_what_stands_in_the_way_is_told(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = loaded_session(qtbot, tmp_path)
    section = made(qtbot, session, theme)
    assert "Who is protected is not chosen yet" in texts(section)
    assert not section.compare.isEnabled()
    edit(qtbot, session, relation=Relation.USER)
    assert not section.compare.isEnabled()
    section.ask_true()
    assert section.dialog is None, "a confirmation for nothing would weaken the claim for nothing"


def test_nothing_of_it_is_copied(qtbot: QtBot, session: Session, theme: Theme, qapp: Any) -> None:
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    qapp.clipboard().setText("before")
    section.table.setFocus()
    section.table.selectRow(0)
    qtbot.keyClick(section.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qapp.clipboard().text() == "before"


def test_a_total_that_buys_nothing_is_told(
    qtbot: QtBot, session: Session, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "compare_methods", lambda *_: ())
    section = made(qtbot, session, theme)
    compare(qtbot, section)
    assert "No method has noise for so little" in section.message.text
