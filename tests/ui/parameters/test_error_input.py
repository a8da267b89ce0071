"""ui.parameters.error_input: a typed error becomes a budget, in a worker, as one undo step."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.planning.query_plan import query_errors
from tests.ui.small_city import TIMEOUT, planned_session
from tests.ui.user_actions import press, show, write
from ui.parameters.budget_box import BudgetBox
from ui.parameters.error_input import ErrorInput
from ui.parameters.query_list import QueryList
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return planned_session(qtbot, tmp_path)


def median_error(session: Session) -> float:
    assert session.forecast is not None
    return query_errors(session.forecast.plans[0].plans).typical.median


def test_the_budget_follows_and_can_be_taken_back(qtbot: QtBot, session: Session) -> None:
    box = BudgetBox(session, QueryList(session))
    show(qtbot, box)
    before = session.draft.leading.budget
    wanted = median_error(session) / 2
    write(qtbot, box.wanted.number, f"{wanted:.6f}")
    press(qtbot, box.wanted.search)
    qtbot.waitUntil(lambda: session.draft.leading.budget != before and not session.busy, timeout=TIMEOUT)
    assert median_error(session) <= wanted
    session.undo_stack.undo()
    assert session.draft.leading.budget == before


@pytest.mark.parametrize("text", ["", "two", "0", "-1", "inf"])
def test_what_is_no_error_is_refused(qtbot: QtBot, session: Session, text: str) -> None:
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    write(qtbot, asked.number, text)
    with qtbot.waitSignal(asked.refused, timeout=TIMEOUT) as refused:
        press(qtbot, asked.search)
    assert isinstance(refused.args[0], InputError)


def test_a_comma_is_read_and_what_is_out_of_reach_is_refused(qtbot: QtBot, session: Session) -> None:
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    write(qtbot, asked.number, "0,000000001")
    with qtbot.waitSignal(asked.refused, timeout=TIMEOUT) as refused:
        press(qtbot, asked.search)
    assert "No budget brings" in refused.args[0].what


def test_without_a_plan_there_is_nothing_to_type(qtbot: QtBot, session: Session) -> None:
    asked = ErrorInput(session, lambda: "no such query")
    qtbot.addWidget(asked)
    assert asked.isHidden()


def test_the_worst_hat_takes_more_than_the_median_one(qtbot: QtBot, session: Session) -> None:
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    totals = []
    for goal in range(asked.goal.count()):
        asked.goal.setCurrentIndex(goal)
        write(qtbot, asked.number, "3")
        with qtbot.waitSignal(asked.found, timeout=TIMEOUT) as found:
            press(qtbot, asked.search)
        budget = found.args[0]
        totals.append(budget.total or budget.per_hat)
    assert totals[0] < totals[1]


def test_tokens_are_searched_with_the_delta_of_the_population(qtbot: QtBot, session: Session) -> None:
    leading = dataclasses.replace(session.draft.leading, mechanism="tokens", parameters={"mode": "exact"})
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.edit("Tokens", queries=(leading,))
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    assert asked.smoothed.isVisible()
    totals = []
    for smoothed in (False, True):
        asked.smoothed.setChecked(smoothed)
        write(qtbot, asked.number, "4")
        with qtbot.waitSignal(asked.found, timeout=TIMEOUT) as found:
            press(qtbot, asked.search)
        totals.append(found.args[0].total)
    assert totals[1] <= totals[0]
