"""ui.parameters.page: nothing private is preselected; epsilon by slider, number and kind."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QSlider, QSpinBox
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.bundle.protection_texts import PROTECTED
from core.clean.record_filter import RecordFilter
from core.draft.draft import Draft
from core.mechanisms.registry import require_mechanism
from core.prior.public_prior import PublicPrior
from core.privacy import Relation, Unit
from core.subject import VEHICLE, Subject
from core.system.paths import find_home
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.languages import spoken
from tests.ui.release_story import make_home, make_session
from tests.ui.shared_parameters import SharedParameters
from tests.ui.small_city import TIMEOUT, edit, loaded_session, planned_session
from tests.ui.small_screen import seen_of
from tests.ui.taxi_story import rest, taxi_session, type_constants
from tests.ui.user_actions import open_sections, pick, press, show, slide, texts, type_letters, write
from ui.kit.param_form import ParamForm
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.language.translation import call_protected, catalogue_of
from ui.layout.window_columns import PAGE_WIDTH
from ui.parameters.page import ParametersPage
from ui.session.session import Session

_BESIDE_FIVE_TABS = 345
"""Width of the page in a window of 1366 at 150 %, in pixels."""
_SAME_ROW = 4
"""Pixels by which the middles of widgets in one row may differ."""


def made(qtbot: QtBot, session: Session) -> ParametersPage:
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page, width=398, height=1800)
    return page


@pytest.fixture
def page(shared_city: SharedParameters) -> Iterator[ParametersPage]:
    yield from shared_city.begun()


@pytest.fixture
def session(shared_city: SharedParameters, page: ParametersPage) -> Session:
    assert page.isVisible()
    return shared_city.session


def number(page: ParametersPage) -> QLineEdit:
    return page.knobs.epsilon.findChild(QLineEdit)


def slider(page: ParametersPage) -> QSlider:
    return page.knobs.epsilon.findChild(QSlider)


def choose_both(qtbot: QtBot, page: ParametersPage, session: Session, unit: Unit = Unit.VEHICLE) -> None:
    with qtbot.waitSignals([session.forecast_changed] * 2, timeout=TIMEOUT):
        press(qtbot, page.protected.relations[Relation.VALUES])
        qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
        press(qtbot, page.protected.units[unit])


def test_a_single_visit_is_offered_where_it_is_a_unit_alone(page: ParametersPage, session: Session) -> None:
    for relation, offered in ((None, True), (Relation.USER, False), (Relation.VALUES, True)):
        session.edit("Relation", relation=relation)
        assert ("a single visit" in texts(page.protected)) is offered
        assert page.protected.units[Unit.VEHICLE_HAT_DAY].isVisible() is offered
    for unit, hint in page.protected.unit_hints.items():
        session.edit("Unit", unit=unit)
        assert [one for one in page.protected.unit_hints.values() if one.isVisible()] == [hint]
        assert hint.text().startswith("Protected: ")
        assert "Protecting less" not in texts(page.protected), "what there is to choose was chosen"


def test_it_waits_for_data(qtbot: QtBot) -> None:
    page = made(qtbot, Session(find_home()))
    assert not page.isEnabled()


def test_nothing_private_is_preselected(page: ParametersPage, session: Session) -> None:
    assert not any(
        button.isChecked() for button in [*page.protected.relations.values(), *page.protected.units.values()]
    )
    assert not page.protected.confirmed.isChecked()
    assert not page.protected.confirmed.isEnabled()
    assert all(button.isEnabled() for button in page.protected.relations.values())
    assert "Choose who is protected" in page.protected.sentence.text()
    assert (session.draft.relation, session.draft.unit) == (None, None)


def test_confirming_needs_both_and_reads_this_data_s_figures(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, page.protected.units[Unit.VEHICLE_DAY])
    assert not page.protected.confirmed.isEnabled()
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, page.protected.relations[Relation.VALUES])
    assert page.protected.confirmed.isEnabled()
    assert "None of 4 hexagon slots holds only one vehicle" in page.protected.sentence.text()
    edit(qtbot, session, threshold=1)
    assert "Of 6 hexagon slots, 2 hold a single vehicle" in page.protected.sentence.text()
    press(qtbot, page.protected.confirmed)
    assert session.draft.confirmed


def test_what_is_protected_is_called_as_it_is_typed(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    one, several = page.protected.called
    try:
        write(qtbot, one, "air sensor")
        assert (one.text(), several.text()) == ("air sensor", "air sensors")
        choose_both(qtbot, page, session)
        assert "air sensor" in page.protected.sentence.text()
        assert "vehicle" not in page.protected.sentence.text()
        assert page.protected.units[Unit.VEHICLE].text() == "an air sensor"
        assert "air sensor" in page.protected.units[Unit.VEHICLE_DAY].accessibleDescription()
        write(qtbot, several, "<b>")
        assert session.draft.protects == Subject(name="air sensor", plural="air sensors")
        assert "letters" in page.protected.message.text
        write(qtbot, several, "sensors of air")
        assert page.protected.message.isHidden(), "this one can be a word"
    finally:
        call_protected(VEHICLE)
    assert page.protected.units[Unit.VEHICLE].text() == "a vehicle"


def test_a_word_that_nobody_typed_is_the_window_s_own_in_its_language(
    qtbot: QtBot, session: Session, qapp: QApplication
) -> None:
    """Else an English word stands in a Hindi window, as if somebody had chosen it; emptied it is back."""
    with spoken(qapp, catalogue_of("hi")):
        page = made(qtbot, session)
        try:
            shown = [(one.text(), one.placeholderText()) for one in page.protected.called]
            assert shown == [("", "वाहन")] * 2
            write(qtbot, page.protected.called[0], "bus")
            assert [one.text() for one in page.protected.called] == ["bus", "buss"]
            write(qtbot, page.protected.called[0], "")
            assert session.draft.protects == VEHICLE
            assert [one.text() for one in page.protected.called] == ["", ""]
        finally:
            call_protected(VEHICLE)


def test_another_unit_takes_the_confirmation_back(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_both(qtbot, page, session)
    press(qtbot, page.protected.confirmed)
    press(qtbot, page.protected.units[Unit.VEHICLE])
    assert session.draft.confirmed
    press(qtbot, page.protected.units[Unit.VEHICLE_HAT_DAY])
    assert not session.draft.confirmed
    assert not page.protected.confirmed.isChecked()
    session.undo_stack.undo()
    assert page.protected.confirmed.isChecked()
    assert page.protected.units[Unit.VEHICLE].isChecked()


def test_undo_leaves_relation_and_unit_open_again(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_both(qtbot, page, session)
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert not any(
        button.isChecked() for button in [*page.protected.relations.values(), *page.protected.units.values()]
    )


def test_without_selected_hexagons_nothing_can_be_confirmed(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_both(qtbot, page, session)
    edit(qtbot, session, threshold=50)
    assert not page.protected.confirmed.isEnabled()
    assert "Select hexagons first" in page.protected.sentence.text()


def test_slider_and_number_stay_in_step(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    assert number(page).text() == "10"
    slide(qtbot, slider(page), 3)
    assert number(page).text() == "30"
    assert session.draft.leading.budget == Budget(total=Decimal(30))
    assert session.undo_stack.undoText() == "Epsilon"
    write(qtbot, number(page), "0.3")
    assert slider(page).value() == 9
    assert session.draft.leading.budget == Budget(total=Decimal("0.3"))
    session.undo_stack.undo()
    assert number(page).text() == "30"
    session.undo_stack.undo()
    assert number(page).text() == "10"


@pytest.mark.parametrize("typed", ["0", "-1", "inf", "ten"])
def test_bad_epsilon_is_told_in_place_and_the_draft_stays(
    qtbot: QtBot, page: ParametersPage, session: Session, typed: str
) -> None:
    draft, steps = session.draft, session.undo_stack.count()
    write(qtbot, number(page), typed)
    assert page.knobs.message.isVisible()
    assert len(page.knobs.message.text.split("\n")) == 3
    assert (session.draft, session.undo_stack.count()) == (draft, steps)
    write(qtbot, number(page), "10")
    assert not page.knobs.message.isVisible()
    assert (session.draft, session.undo_stack.count()) == (draft, steps)


def test_total_or_per_hat(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    choose_both(qtbot, page, session)
    assert page.options.budget.equal.isChecked()
    assert "hexagon" in page.options.budget.per_hat.toolTip()
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, page.options.budget.per_hat)
    assert session.draft.leading.budget == Budget(per_hat=Decimal(10))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, number(page), "2")
    assert session.draft.leading.budget == Budget(per_hat=Decimal(2))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, page.options.budget.equal)
    assert session.draft.leading.budget == Budget(total=Decimal(2))
    session.undo_stack.undo()
    assert page.options.budget.per_hat.isChecked()


def test_a_mechanism_brings_its_own_parameters(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    choose_both(qtbot, page, session)
    before, advised = session.undo_stack.index(), session.draft.leading.mechanism
    pick(qtbot, page.knobs.mechanism, "array-averaging")
    assert session.draft.leading.mechanism == "array-averaging"
    form = page.findChildren(ParamForm)[-1]
    (box,) = [box for box in form.findChildren(QComboBox) if box.findText("a number of your own") >= 0]
    pick(qtbot, box, box.itemData(box.count() - 1))
    own = box.parent().findChild(QSpinBox)
    qtbot.waitUntil(own.isVisible, timeout=TIMEOUT)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, own.lineEdit(), "3")
    assert session.draft.leading.parameters == {"m_ub": 3}
    assert session.planning.problem is None
    session.undo_stack.setIndex(before)
    assert session.draft.leading.mechanism == advised
    assert page.knobs.mechanism.currentData() == advised


def test_the_advised_mechanism_is_one_press_away(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    line = page.knobs.of_mechanism
    assert not line.text.text()
    choose_both(qtbot, page, session)
    edit(qtbot, session, mechanism="levy", parameters={})
    advice = session.planning.advice
    assert advice is not None
    assert advice.mechanism != "levy"
    assert line.text.text().startswith(f"Recommended: {require_mechanism(advice.mechanism).title}")
    assert advice.reason in line.text.toolTip().replace("\n", " ")
    press(qtbot, line.take)
    assert session.draft.leading.mechanism == page.knobs.mechanism.currentData() == advice.mechanism
    session.undo_stack.undo()
    assert page.knobs.mechanism.currentData() == "levy"


def test_after_the_limit_all_that_is_to_be_confirmed_is_seen(qtbot: QtBot, tmp_path: Path) -> None:
    """Two strangers saw half of the box at the edge of the window."""
    session = loaded_session(qtbot, tmp_path)
    page = made(qtbot, session)
    edit(qtbot, session, threshold=3)
    choose_both(qtbot, page, session)
    protected = page.protected
    page.window().resize(400, 460)
    type_letters(qtbot, protected.limit.name, "Buses")
    with qtbot.waitSignal(protected.limit.accepted, timeout=TIMEOUT):
        type_letters(qtbot, protected.limit.limit, "10")
        qtbot.keyClick(protected.limit.limit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: seen_of(protected.confirmed) == protected.confirmed.rect(), timeout=TIMEOUT)


def test_a_population_is_chosen_from_the_ledger(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    page = made(qtbot, session)
    edit(qtbot, session, threshold=3)
    assert "none yet" in page.protected.limit.name.placeholderText()
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    for name in ("Buses", "Trams"):
        ledger.set_limit(name, per_vehicle=Decimal(5))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert page.protected.population.currentText() == ""
    assert page.protected.limit.name.placeholderText() == "choose or name one"
    assert not session.draft.population
    pick(qtbot, page.protected.population, "Trams")
    assert session.draft.population == "Trams"
    assert [page.protected.population.itemText(row) for row in range(page.protected.population.count())] == [
        "Buses",
        "Trams",
    ]


def test_the_page_shows_a_draft_that_came_from_elsewhere(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    page = made(qtbot, session)
    assert page.protected.relations[Relation.VALUES].isChecked()
    assert page.protected.units[Unit.VEHICLE].isChecked()
    assert page.sections["options"].head.summary.text() == page.knobs.mechanism.currentText()
    before = dataclasses.replace(session.draft)
    page.refresh()
    assert session.draft == before


# several statistics


def add(qtbot: QtBot, page: ParametersPage, session: Session, key: str) -> None:
    action = next(action for action in page.published.add.menu().actions() if action.data() == key)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        action.trigger()


@pytest.fixture
def several(qtbot: QtBot, page: ParametersPage, session: Session) -> ParametersPage:
    choose_both(qtbot, page, session)
    for key in ("query1", "query2"):
        add(qtbot, page, session, key)
    return page


def budgets(session: Session) -> list[Budget]:
    return [query.budget for query in session.draft.queries]


def test_the_boxes_edit_the_selected_statistic(
    qtbot: QtBot, several: ParametersPage, session: Session
) -> None:
    before = session.undo_stack.index()
    several.published.rows.setCurrentRow(1)
    assert several.sections["options"].head.summary.text() == several.options.named, "not of the one before"
    write(qtbot, number(several), "3")
    assert budgets(session) == [Budget(total=Decimal(value)) for value in (10, 3, 10)]
    assert session.undo_stack.undoText() == "Epsilon of Mean speed of vehicles and days (Query 1)"
    several.published.rows.setCurrentRow(0)
    assert number(several).text() == "10"
    pick(qtbot, several.knobs.mechanism, "levy")
    assert session.draft.leading.mechanism == "levy"
    session.undo_stack.setIndex(before)
    assert budgets(session) == [Budget(total=Decimal(10))] * 3


def test_drags_of_two_statistics_are_two_undo_steps(
    qtbot: QtBot, several: ParametersPage, session: Session
) -> None:
    before = session.undo_stack.index()
    for row in (0, 1):
        several.published.rows.setCurrentRow(row)
        slide(qtbot, slider(several), 2)
    assert session.undo_stack.index() == before + 2
    session.undo_stack.undo()
    assert budgets(session) == [Budget(total=Decimal(20)), *[Budget(total=Decimal(10))] * 2]


def test_a_statistic_with_its_own_method_shows_its_own_parameters(
    qtbot: QtBot, several: ParametersPage, session: Session
) -> None:
    assert several.knobs.mechanism.currentText() == "set by the statistic"
    assert not several.knobs.mechanism.isEnabled()
    assert not several.knobs.of_mechanism.text.text()
    form = several.options.form
    assert form is not None
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, form.findChild(QLineEdit), "30, 20")
    assert session.draft.queries[2].parameters == {"limits": (20.0, 30.0)}
    assert several.options.form is form
    several.published.rows.setCurrentRow(1)
    other = several.options.form
    assert other is not None
    assert other is not form
    assert not any(field.isVisible() for field in other.findChildren(QLineEdit))  # no limits
    assert "busy senders count once" in texts(several)
    several.published.rows.setCurrentRow(0)
    assert several.knobs.mechanism.isEnabled()
    session.undo_stack.undo()
    assert session.draft.queries[2].parameters == {}


def test_a_limit_that_does_not_fit_the_data_is_told_beside_epsilon(
    qtbot: QtBot, several: ParametersPage, session: Session
) -> None:
    form = several.options.form
    assert form is not None
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, form.findChild(QLineEdit), "900")
    assert session.planning.problem is not None
    assert several.knobs.of_epsilon.text.text() == session.planning.problem.what


def test_a_total_divided_optimally_and_what_that_saves(
    qtbot: QtBot, several: ParametersPage, session: Session
) -> None:
    several.published.rows.setCurrentRow(0)
    pick(qtbot, several.knobs.mechanism, "baseline")
    qtbot.waitUntil(several.options.budget.savings.isVisible, timeout=TIMEOUT)
    said = several.options.budget.savings.text.text()
    assert "km/h either way" in said  # here each vehicle was in HATs that are all alike
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, several.options.budget.optimal)
    assert budgets(session)[0] == Budget(total=Decimal(10), divide="optimal")
    assert session.forecast is not None
    assert session.forecast.plan is not None
    (worst,) = {round(plan.lead.noise_scale, 2) for plan in session.forecast.plan.plans}
    assert f"the largest noise of a hexagon slot is {worst:.2f} km/h either way" in said
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, number(several), "20")
    assert budgets(session)[0] == Budget(total=Decimal(20), divide="optimal")
    qtbot.waitUntil(lambda: said != several.options.budget.savings.text.text(), timeout=TIMEOUT)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, several.options.budget.per_hat)
    assert not several.options.budget.savings.isVisible()


def test_optimally_only_where_hats_can_be_weighed_and_why_not(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_both(qtbot, page, session)
    edit(qtbot, session, mechanism="baseline", parameters={})
    assert page.options.budget.optimal.isEnabled()
    edit(qtbot, session, mechanism="levy", parameters={})
    assert not page.options.budget.optimal.isEnabled()
    assert page.options.budget.optimal.toolTip().startswith("With these parameters, the noise of Levy")
    assert (
        in_lines(page.options.budget.optimal.accessibleDescription()) == page.options.budget.optimal.toolTip()
    )
    assert not page.options.budget.savings.isVisible()
    edit(qtbot, session, mechanism="baseline", parameters={})
    assert page.options.budget.optimal.isEnabled()
    assert not page.options.budget.optimal.toolTip()


def test_a_noise_scale_in_place_of_epsilon(qtbot: QtBot, several: ParametersPage, session: Session) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, several.options.budget.noise_scale)
    assert budgets(session)[2] == Budget(noise_scale=Decimal(1))
    assert several.knobs.of_epsilon.text.text().endswith("larger protects more. 0.5 to 2 is usual.")
    assert "Scale B" in texts(several.knobs)
    assert "Epsilon" not in texts(several.knobs).split("\n")
    assert several.knobs._group.buttons()[2].text() == "Query 2, B 1"
    assert number(several).accessibleName() == "Noise scale B vehicles per day, number"
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        write(qtbot, number(several), "2")
    assert budgets(session)[2] == Budget(noise_scale=Decimal(2))
    press(qtbot, several.options.budget.equal)
    assert budgets(session)[2] == Budget(total=Decimal(10))
    assert number(several).accessibleName() == "Epsilon, number"
    several.published.rows.setCurrentRow(0)
    assert not several.options.budget.noise_scale.isVisible()


def test_the_page_is_walked_from_top_to_bottom(qtbot: QtBot, several: ParametersPage) -> None:
    several.resize(400, 2400)
    several.published.rows.setCurrentRow(2)
    now, rows = several.knobs.resolution, []
    assert several.options.form is not None
    last = several.options.form.findChildren(QCheckBox)[-1]
    now.setFocus()
    rows.append(now.mapTo(several, now.rect().center()).y())
    while now is not last:
        qtbot.keyClick(now, Qt.Key.Key_Tab)
        now = several.focusWidget()
        rows.append(now.mapTo(several, now.rect().center()).y())
        assert len(rows) < 80
    assert all(below >= above - _SAME_ROW for above, below in itertools.pairwise(rows))


def choose_per_hat(qtbot: QtBot, session: Session) -> None:
    """Planned, with an epsilon for each HAT, before the mechanism is chosen."""
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE)
    edit(qtbot, session, mechanism="baseline", parameters={}, budget=Budget(per_hat=Decimal("1.5")))


def settle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)


def test_tokens_take_a_total_and_undo_brings_the_old_budget_back(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_per_hat(qtbot, session)
    before = session.draft.leading
    assert session.forecast is not None
    assert session.forecast.plan is not None
    cost = session.forecast.plan.charge.per_vehicle
    assert cost == 2 * Decimal("1.5")
    pick(qtbot, page.knobs.mechanism, "tokens")
    settle(qtbot, session)
    assert session.draft.leading.budget == Budget(total=cost)
    ways = (
        page.options.budget.equal,
        page.options.budget.optimal,
        page.options.budget.per_hat,
        page.options.budget.noise_scale,
    )
    assert not any(button.isVisible() for button in ways)
    shared = page.options.budget.shared
    assert shared.isVisible()
    assert shared.text() == "Each vehicle has one budget, split over all the numbers it contributes to."
    assert page.options.budget.savings.isHidden()
    write(qtbot, number(page), "7.5")
    assert session.draft.leading.budget == Budget(total=Decimal("7.5"))
    while session.draft.leading != before:
        assert session.undo_stack.canUndo()
        session.undo_stack.undo()
    settle(qtbot, session)
    assert page.options.budget.per_hat.isVisible()
    assert page.options.budget.per_hat.isChecked()
    assert not shared.isVisible()
    for unit, said in (
        (Unit.VEHICLE, "One total per vehicle, for all numbers together."),
        (Unit.VEHICLE_DAY, "One total per vehicle-day; a vehicle pays it once for each date."),
    ):
        session.edit("Protection", relation=Relation.USER, unit=unit)
        assert (shared.text(), shared.isVisible()) == (said, True)


def test_parameters_of_tokens_have_titles_and_smoothing_is_offered_elsewhere_too(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_per_hat(qtbot, session)
    for mechanism, smoothed in (("array-averaging", False), ("opt-array-averaging", False), ("tokens", True)):
        pick(qtbot, page.knobs.mechanism, mechanism)
        form = page.options.form
        assert form is not None
        (smooth,) = [box for box in form.findChildren(QCheckBox) if box.text() == "Smooth as well"]
        assert smooth.isChecked() == smoothed
    assert form is not None
    lists = {box.itemText(at) for box in form.findChildren(QComboBox) for at in range(box.count())}
    assert {"split (least error)", "the better one (auto)", "Gaussian", "all alike"} <= lists
    assert not {"gauss", "auto", "equal"} & lists


def test_what_is_protected_is_named_on_the_line_of_its_choices(page: ParametersPage) -> None:
    (of,) = (one for one in page.findChildren(QLabel) if one.text() == "Of")
    first = page.protected.units[Unit.VEHICLE]
    middles = [one.mapTo(page, one.rect().center()).y() for one in (of, first)]
    assert abs(middles[0] - middles[1]) <= 1


def shows_choices_whole(page: ParametersPage, session: Session) -> bool:
    """At its usual width, and where 1366x768 are seen at 150 %: dates of a week, areas with two digits."""
    week = ((dt.date(2022, 1, 3), dt.date(2022, 1, 9)),)
    session.edit("Window", date_ranges=week, hours=("09:00", "21:00"))
    kind, box = page.knobs.place.kind, page.knobs.resolution
    whole = []
    for resolution in range(5, 10):  # what is advised
        box.setCurrentIndex(box.findData(resolution))
        whole.append(box.shown_text == box.currentText())
    dates = page.sections["dates"].head.summary
    assert "2022-01-09, 09–21" in dates.text()
    whole.append(dates.shown_text == dates.text())
    page.resize(388, 1800)  # beside a bar
    box.setCurrentIndex(box.findData(6))
    return all((*whole, *(one.shown_text == one.currentText() for one in (kind, box))))


def test_at_its_usual_width_neither_a_resolution_nor_the_dates_are_cut(
    page: ParametersPage, session: Session, theme: Theme
) -> None:
    """In the program's own letters."""
    assert theme.colours
    assert shows_choices_whole(page, session)


def test_in_hindi_nothing_is_cut_or_wider_than_its_column_and_sentences_end_without_a_gap(
    qtbot: QtBot, tmp_path: Path, qapp: QApplication, theme: Theme
) -> None:
    assert theme.colours
    session = loaded_session(qtbot, tmp_path)
    with spoken(qapp, catalogue_of("hi")):
        page = made(qtbot, session)
        edit(qtbot, session, threshold=3)
        dates = session.draft.date_ranges
        assert shows_choices_whole(page, session)
        page.resize(398, 1800)
        edit(qtbot, session, date_ranges=dates, hours=Draft().hours, resolution=7)
        choose_per_hat(qtbot, session)
        for unit, hint in page.protected.unit_hints.items():
            assert QLabel.text(hint).endswith("भेजा।"), f"only behind a figure a danda stands apart: {unit}"
        told = {entry.text: entry.said[0] for entry in catalogue_of("hi").entries}
        questions = [text for one, text in told.items() if one.startswith("Protect all of a vehicle's data")]
        assert len(questions) == 2
        hint = page.protected.unit_hints[Unit.VEHICLE]
        letters, place = hint.fontMetrics(), hint.width()
        # in one line: else that which the question takes is empty below the answer
        assert all(letters.horizontalAdvance(text) < place - 10 for text in questions)
        # in the column that tabs leave beside a verified bundle; it shows no bar, and cuts what is wider
        assert page.minimumSizeHint().width() <= _BESIDE_FIVE_TABS
        page.resize(_BESIDE_FIVE_TABS, 1000)
        edges = [
            page.protected.units[unit].mapTo(page, page.protected.units[unit].rect().bottomRight()).x()
            for unit in Unit
        ]
        assert max(edges) < _BESIDE_FIVE_TABS


def test_no_row_is_wider_than_the_column(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    """It would take the room from the map, and the window would outgrow a screen of 1366."""
    choose_per_hat(qtbot, session)
    pick(qtbot, page.knobs.mechanism, "tokens")
    settle(qtbot, session)
    assert page.minimumSizeHint().width() <= PAGE_WIDTH


def test_what_a_unit_hides_is_told_in_a_sentence(page: ParametersPage) -> None:
    hint = page.protected.unit_hints[Unit.VEHICLE_DAY]
    assert hint.text() == f"Protected: {PROTECTED[Unit.VEHICLE_DAY]}."


def test_in_relation_user_a_closed_section_says_what_is_still_to_be_typed(
    qtbot: QtBot, tmp_path: Path
) -> None:
    taxis = taxi_session(qtbot, tmp_path)
    page = made(qtbot, taxis)

    def warned() -> dict[str, str]:
        heads = {name: section.head.summary.text() for name, section in page.sections.items()}
        return {name: text for name, text in heads.items() if text.startswith("!") and name != "protected"}

    assert warned() == {}
    taxis.choose_relation("Relation", Relation.USER)
    taxis.edit("Unit", unit=Unit.VEHICLE)
    rest(qtbot, taxis)
    assert warned().keys() == {"dates", "hexagons"}
    type_constants(qtbot, taxis, tmp_path)
    rest(qtbot, taxis)
    assert warned() == {}
    taxis.edit("C", hats_per_vehicle=7, prior=PublicPrior(vehicles=60))
    rest(qtbot, taxis)
    assert page.sections["constants"].head.summary.text() == "C = 7, 60 vehicles in each slot"


def test_a_closed_section_says_how_much_of_a_vehicle_is_protected_and_what_is_left_out(
    qtbot: QtBot, tmp_path: Path
) -> None:
    make_home(limit="100")
    session = make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))
    page = made(qtbot, session)
    heads = [page.sections[name].head.summary for name in ("protected", "hexagons")]
    for unit, said in (
        (Unit.VEHICLE, "Values only, "),
        (Unit.VEHICLE_DAY, "Values only, a vehicle's day, "),
        (Unit.VEHICLE_HAT_DAY, "Values only, one visit, "),
    ):
        session.edit("Unit", unit=unit)
        qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=TIMEOUT)
        session.confirmation.answer(confirmed=True)
        assert heads[0].text() == f"{said}{session.draft.population} ✓"
    assert "only some" not in heads[1].text()
    session.edit("Filter", filters=(RecordFilter(name="direction", values=("UP",)),))
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=TIMEOUT)
    assert heads[1].text().endswith(" selected; only some records, by direction")
