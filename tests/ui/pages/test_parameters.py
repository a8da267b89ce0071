"""ui.pages.parameters: nothing private is preselected; epsilon by slider, number and kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QSlider, QSpinBox
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.paths import find_home
from core.privacy import Relation, Unit
from core.release.review import confirmation_sentence
from tests.ui.desk import pick, press, show, slide, texts, write
from tests.ui.small_city import TIMEOUT, edit, loaded_session, planned_session
from ui.jobs import cancel_all, wait_for_all
from ui.pages.parameters import ParametersPage
from ui.param_form import ParamForm
from ui.session import Session


@pytest.fixture(autouse=True)
def _no_job_outlives_its_test() -> Iterator[None]:
    yield
    cancel_all()
    assert wait_for_all(30)


def made(qtbot: QtBot, session: Session) -> ParametersPage:
    page = ParametersPage(session)
    show(qtbot, page, width=340, height=1000)
    return page


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return loaded_session(qtbot, tmp_path)


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> ParametersPage:
    made_page = made(qtbot, session)
    edit(qtbot, session, threshold=3)
    return made_page


def number(page: ParametersPage) -> QLineEdit:
    return page.epsilon.findChild(QLineEdit)


def slider(page: ParametersPage) -> QSlider:
    return page.epsilon.findChild(QSlider)


def choose_both(qtbot: QtBot, page: ParametersPage, session: Session, unit: Unit = Unit.VEHICLE) -> None:
    with qtbot.waitSignals([session.preview_changed] * 2, timeout=TIMEOUT):
        press(qtbot, page.relations[Relation.VALUES])
        qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
        press(qtbot, page.units[unit])


def test_it_waits_for_data(qtbot: QtBot) -> None:
    page = made(qtbot, Session(find_home()))
    assert not page.isEnabled()


def test_nothing_private_is_preselected(page: ParametersPage, session: Session) -> None:
    assert not any(button.isChecked() for button in [*page.relations.values(), *page.units.values()])
    assert not page.confirmed.isChecked()
    assert not page.confirmed.isEnabled()
    assert not page.relations[Relation.USER].isEnabled()
    assert "Choose relation and unit" in page.sentence.text()
    assert (session.draft.relation, session.draft.unit) == (None, None)


def test_confirming_needs_both_and_reads_this_data_s_figures(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    with qtbot.waitSignal(session.preview_changed, timeout=TIMEOUT):
        press(qtbot, page.units[Unit.VEHICLE_DAY])
    assert not page.confirmed.isEnabled()
    with qtbot.waitSignal(session.preview_changed, timeout=TIMEOUT):
        press(qtbot, page.relations[Relation.VALUES])
    assert page.confirmed.isEnabled()
    assert page.sentence.text() == confirmation_sentence(Relation.VALUES, Unit.VEHICLE_DAY, 0, 4)
    edit(qtbot, session, threshold=1)
    assert page.sentence.text() == confirmation_sentence(Relation.VALUES, Unit.VEHICLE_DAY, 2, 6)
    press(qtbot, page.confirmed)
    assert session.draft.confirmed


def test_another_unit_takes_the_confirmation_back(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_both(qtbot, page, session)
    press(qtbot, page.confirmed)
    press(qtbot, page.units[Unit.VEHICLE])
    assert session.draft.confirmed
    press(qtbot, page.units[Unit.VEHICLE_HAT_DAY])
    assert not session.draft.confirmed
    assert not page.confirmed.isChecked()
    session.undo_stack.undo()
    assert page.confirmed.isChecked()
    assert page.units[Unit.VEHICLE].isChecked()


def test_undo_leaves_relation_and_unit_open_again(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_both(qtbot, page, session)
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert not any(button.isChecked() for button in [*page.relations.values(), *page.units.values()])


def test_without_selected_hexagons_nothing_can_be_confirmed(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    choose_both(qtbot, page, session)
    edit(qtbot, session, threshold=50)
    assert not page.confirmed.isEnabled()
    assert "once hexagons are selected" in page.sentence.text()


def test_slider_and_number_stay_in_step(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    assert number(page).text() == "10"
    slide(qtbot, slider(page), 3)
    assert number(page).text() == "30"
    assert session.draft.budget == Budget(total=Decimal(30))
    assert session.undo_stack.undoText() == "Epsilon"
    write(qtbot, number(page), "0.3")
    assert slider(page).value() == 9
    assert session.draft.budget == Budget(total=Decimal("0.3"))
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
    assert page.message.isVisible()
    assert len(page.message.text.split("\n")) == 3
    assert (session.draft, session.undo_stack.count()) == (draft, steps)
    write(qtbot, number(page), "10")
    assert not page.message.isVisible()
    assert (session.draft, session.undo_stack.count()) == (draft, steps)


def test_total_or_per_hat(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    choose_both(qtbot, page, session)
    assert page.as_total.isChecked()
    with qtbot.waitSignal(session.preview_changed, timeout=TIMEOUT):
        press(qtbot, page.per_hat)
    assert session.draft.budget == Budget(per_hat=Decimal(10))
    assert "Epsilon 10 per HAT, 20 per vehicle" in texts(page)
    with qtbot.waitSignal(session.preview_changed, timeout=TIMEOUT):
        write(qtbot, number(page), "2")
    assert session.draft.budget == Budget(per_hat=Decimal(2))
    with qtbot.waitSignal(session.preview_changed, timeout=TIMEOUT):
        press(qtbot, page.as_total)
    assert session.draft.budget == Budget(total=Decimal(2))
    assert "Epsilon 1 per HAT, 2 per vehicle" in texts(page)
    session.undo_stack.undo()
    assert page.per_hat.isChecked()


def test_a_mechanism_brings_its_own_parameters(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    choose_both(qtbot, page, session)
    before = session.undo_stack.index()
    pick(qtbot, page.mechanism, "array-averaging")
    assert session.draft.mechanism == "array-averaging"
    form = page.findChildren(ParamForm)[-1]
    (box,) = [box for box in form.findChildren(QComboBox) if box.findText("a number of your own") >= 0]
    pick(qtbot, box, box.itemData(box.count() - 1))
    own = box.parent().findChild(QSpinBox)
    qtbot.waitUntil(own.isVisible, timeout=TIMEOUT)
    with qtbot.waitSignal(session.preview_changed, timeout=TIMEOUT):
        write(qtbot, own.lineEdit(), "3")
    assert session.draft.parameters == {"m_ub": 3}
    assert session.problem is None
    session.undo_stack.setIndex(before)
    assert session.draft.mechanism == "baseline"
    assert page.mechanism.currentData() == "baseline"


def test_the_advised_mechanism_is_one_press_away(
    qtbot: QtBot, page: ParametersPage, session: Session
) -> None:
    assert page.advice.isHidden()
    choose_both(qtbot, page, session)
    edit(qtbot, session, mechanism="levy", parameters={})
    advice = page.advice.advice
    assert advice is not None
    assert advice.mechanism != "levy"
    assert advice.reason in texts(page)
    press(qtbot, page.advice.use)
    assert session.draft.mechanism == page.mechanism.currentData() == advice.mechanism
    session.undo_stack.undo()
    assert page.mechanism.currentData() == "levy"


def test_a_population_is_chosen_from_the_ledger(qtbot: QtBot, page: ParametersPage, session: Session) -> None:
    assert "none yet" in page.population.currentText()
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    for name in ("Buses", "Trams"):
        ledger.set_limit(name, per_vehicle=Decimal(5))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.read_ledger()
    assert page.population.currentText() == "choose…"
    assert not session.draft.population
    pick(qtbot, page.population, "Trams")
    assert session.draft.population == "Trams"
    assert [page.population.itemText(row) for row in range(page.population.count())] == ["Buses", "Trams"]


def test_the_page_shows_a_draft_that_came_from_elsewhere(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    page = made(qtbot, session)
    assert page.relations[Relation.VALUES].isChecked()
    assert page.units[Unit.VEHICLE].isChecked()
    assert "median" in texts(page)
    before = dataclasses.replace(session.draft)
    page.refresh()
    assert session.draft == before
