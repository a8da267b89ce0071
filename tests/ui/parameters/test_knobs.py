"""ui.parameters.knobs: place, timeslot, epsilon and mechanism, each with its advice."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.contributions.file_write import write_contributions
from core.hats.cells import areas_km2, mean_area_km2
from core.hats.slots import ALL, PeriodOfDay
from core.privacy import Relation, Unit
from core.release.contributions_source import contributions_for
from core.spec import load_spec
from tests.city import write_city
from tests.core.advice.test_city_advice import advice_of, option
from tests.ui.days_story import days_page, planned
from tests.ui.release_story import make_home, make_session
from tests.ui.shared_parameters import SharedParameters
from tests.ui.small_city import TIMEOUT, add_queries, edit
from tests.ui.taxi_story import user_session
from tests.ui.user_actions import lies_on, pick, press, show, write
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.parameters.page import ParametersPage
from ui.session.session import Session


@pytest.fixture
def page(shared_days: SharedParameters) -> Iterator[ParametersPage]:
    yield from shared_days.begun()


@pytest.fixture
def session(shared_days: SharedParameters, page: ParametersPage) -> Session:
    assert page.isVisible()
    return shared_days.session


def test_a_resolution_and_a_slot_index_anew(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        pick(qtbot, page.knobs.resolution, 6)
    assert session.draft.resolution == 6
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        pick(qtbot, page.knobs.slot_minutes, 30)
    assert session.draft.slot_minutes == 30
    assert session.contributions is not None
    assert session.contributions.window.slot_minutes == 30
    assert page.dates.start.itemText(1) == "00:30"


def test_periods_of_a_spec_are_shown_and_stay_until_a_length_is_chosen(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    periods = (PeriodOfDay(9 * 60, 10 * 60, "peak"), PeriodOfDay(11 * 60, 12 * 60, "noon"))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.edit("Timeslot", slot_minutes=periods)
    box = page.knobs.slot_minutes
    assert (box.currentText(), session.draft.slot_minutes) == ("2 periods", periods)
    assert session.contributions is not None
    assert session.contributions.window.periods == periods
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        pick(qtbot, box, ALL)
    assert session.draft.slot_minutes == ALL
    assert box.findText("2 periods") < 0


def test_periods_are_named_in_a_dialog(qtbot: QtBot, session: Session, page: ParametersPage) -> None:
    box = page.knobs.slot_minutes
    before = session.draft.slot_minutes
    box.setCurrentIndex(box.findText("Named periods…"))
    box.activated.emit(box.currentIndex())
    dialog = page.knobs.periods
    assert dialog is not None
    assert box.currentData() == before  # until there are some
    assert lies_on(dialog, page)
    first = PeriodOfDay(9 * 60, 10 * 60, "peak")
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        dialog.chosen.emit((first,))
    assert session.draft.slot_minutes == (first,)
    assert "peak" in box.toolTip()
    session.undo_stack.undo()
    assert session.draft.slot_minutes == before


def test_areas_are_those_of_the_city_that_is_loaded(
    qtbot: QtBot, session: Session, page: ParametersPage
) -> None:
    table = session.contributions
    assert table is not None
    of_city = f"{areas_km2(np.unique(table.cell)).mean():.2g}"
    row = page.knobs.resolution.findData(table.resolution)
    assert page.knobs.resolution.itemText(row) == f"resolution {table.resolution}: {of_city} km²"
    worldwide = f"{mean_area_km2(table.resolution):.2g}"
    assert worldwide != of_city
    session.choose_relation("Relation", Relation.USER)  # where the records are is nobody's to see
    planned(qtbot, session)
    assert page.knobs.resolution.itemText(row) == f"resolution {table.resolution}: {worldwide} km²"


def test_what_is_recommended_stands_beside_place_and_timeslot_and_is_taken(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    knobs, good = page.knobs, option(7, 60, 1.9)
    advice = advice_of(option(8, 60, 4.6, hats=900), good, option(7, 240, 1.1), option(6, ALL, 0.5))
    edit(qtbot, session, resolution=8, slot_minutes=60)
    knobs.show_grids(advice)
    assert knobs.of_place.text.text() == "Recommended: resolution 7, error 1.9."
    assert (knobs.of_place.sign.text(), knobs.of_place.take.text()) == ("!", "Take it")
    for line in (knobs.of_place, knobs.of_timeslot):
        whole = f"{line.text.text()}\n{core_text(advice.reason)}"
        assert line.text.toolTip() == in_lines(whole), "why, behind the mouse"
    assert not knobs.of_timeslot.take.isVisible()
    with qtbot.waitSignal(knobs.grid_taken) as taken:
        press(qtbot, knobs.of_place.take)
    assert taken.args == [good]
    assert session.draft.resolution == 7
    knobs.show_grids(advice)
    assert knobs.of_place.sign.text() == "✓"
    edit(qtbot, session, resolution=6, slot_minutes=ALL)
    knobs.show_grids(advice)
    assert knobs.of_place.take.text() == "Take both"
    knobs.show_grids(None)
    assert not knobs.of_place.take.isVisible()


def test_of_several_statistics_it_is_said_for_which_one_a_grid_is_recommended(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, resolution=8, slot_minutes=60)
    add_queries(qtbot, session, "query1")
    knobs, advice = page.knobs, advice_of(option(8, 60, 4.6, hats=900), option(7, 60, 1.9))
    for chip in knobs._group.buttons():
        press(qtbot, chip)
        knobs.show_grids(advice)
        told = [line.text.text() for line in (knobs.of_place, knobs.of_timeslot)]
        assert told == ["Mean speed: resolution 7, error 1.9.", "Recommended for Mean speed."]
    assert "Recommended: resolution 7" in knobs.of_place.text.toolTip()
    edit(qtbot, session, queries=session.draft.queries[:1])
    knobs.show_grids(advice)
    assert knobs.of_place.text.text().startswith("Recommended: ")


def test_without_protection_nothing_is_recommended(page: ParametersPage) -> None:
    assert page.knobs.of_place.text.text() == "Choose who is protected to see advice."
    assert page.knobs.of_timeslot.text.text() == ""


def test_where_no_count_is_public_the_lines_say_why_there_is_no_advice(qtbot: QtBot, tmp_path: Path) -> None:
    """All four lines were empty beside a verdict."""
    page = ParametersPage(user_session(qtbot, tmp_path))
    show(qtbot, page, width=398, height=900)
    knobs = page.knobs
    qtbot.waitUntil(lambda: "needs" in knobs.of_epsilon.text.text(), timeout=TIMEOUT)
    why = "No advice: counts are protected."
    lines = [line.text.text() for line in (knobs.of_place, knobs.of_timeslot, knobs.of_mechanism)]
    assert lines == [why, "", why]


def test_of_several_statistics_epsilon_is_that_of_the_one_that_is_pressed(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, budget=Budget(total=Decimal(7)))
    knobs = page.knobs
    assert not knobs.chips.isVisible()
    add_queries(qtbot, session, "query1")
    first, second = (chip for chip in knobs._group.buttons() if chip.isVisible())
    assert knobs.chips.isVisible()
    assert first.accessibleName() == "Mean speed, 7"
    assert second.toolTip() == second.accessibleName()
    assert (first.text(), second.text()) == ("Mean speed, 7", "Query 1, 7")
    assert (first.isChecked(), second.isChecked()) == (True, False)
    press(qtbot, second)
    assert (first.isChecked(), second.isChecked()) == (False, True)
    assert page.published.number == 1
    write(qtbot, knobs.epsilon._number, "3")
    assert [query.budget.amount for query in session.draft.queries] == [7, 3]
    assert session.undo_stack.undoText() == "Epsilon of Mean speed of vehicles and days (Query 1)"
    press(qtbot, first)
    assert knobs.epsilon._number.text() == "7"
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    session.undo_stack.undo()
    assert session.draft.queries[1].budget.amount != 3
    edit(qtbot, session, queries=session.draft.queries[:1])
    assert not knobs.chips.isVisible()


def test_each_epsilon_that_is_taken_is_undone_by_itself(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, budget=Budget(total=Decimal(7)))
    for amount in (8, 9):
        page.knobs.take_epsilon(Decimal(amount))
    assert page.knobs.epsilon._number.text() == "9"
    session.undo_stack.undo()
    assert page.knobs.epsilon._number.text() == "8"


def test_shares_say_the_mechanism_that_draws_them(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    """Not their own title, which is in the list of what is published."""
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, budget=Budget(total=Decimal(7)))
    shown = []
    for number, statistic in enumerate(("share", "cdf"), 1):
        add_queries(qtbot, session, statistic)
        press(qtbot, page.knobs._group.buttons()[number])
        shown.append((page.knobs.mechanism.currentText(), page.knobs.mechanism.isEnabled()))
    assert shown == [("Tokens", False), ("set by the statistic", False)]


def test_options_lead_to_their_section(qtbot: QtBot, page: ParametersPage) -> None:
    head = page.sections["options"].head
    head.setChecked(False)
    press(qtbot, page.knobs.options)
    assert head.isChecked()


def test_of_a_table_of_two_resolutions_one_may_be_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    """And nothing else of place and timeslot: the table has decided it."""
    make_home()
    city = tmp_path / "city"
    for resolution in (7, 8):
        spec = load_spec(write_city(city, edit=(("resolution = 7", f"resolution = {resolution}"),)))
        folder = city / "table" / f"resolution={resolution}"
        folder.mkdir(parents=True)
        write_contributions(contributions_for(spec)[0], folder / "part.parquet")
    session = make_session(
        qtbot, write_city(city, edit=(('files = ["records.csv"]', 'contributions = "table"'),))
    )
    page = days_page(qtbot, session)
    box, names = page.knobs.resolution, page.knobs.resolution.model()
    assert [box.itemData(row) for row in range(box.count()) if names.item(row).isEnabled()] == [7, 8]
    assert box.isEnabled()
    assert not page.knobs.slot_minutes.isEnabled()
    page.begin()
    assert page.focusWidget() is box, "the first that is open"
    pick(qtbot, box, 8)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert session.contributions is not None
    assert session.contributions.resolution == 8
