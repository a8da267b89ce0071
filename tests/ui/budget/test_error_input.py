"""ui.budget.error_input: a typed error becomes a budget, in a worker, as one undo step."""

from __future__ import annotations

import dataclasses
import threading
import time
from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.advice.accuracy_first import budget_for_error
from core.errors import InputError
from core.planning.counted_city import CountedCity
from core.planning.query_plan import query_errors
from core.prior.public_prior import PublicPrior
from core.progress import Progress
from core.statistics.error_figures import significant
from tests.ui.small_city import TIMEOUT, add_queries, edit, planned_session
from tests.ui.taxi_story import taxi_session, type_constants
from tests.ui.user_actions import press, show, write
from ui.budget import error_input
from ui.budget.decision_card import DecisionCard
from ui.budget.error_input import ErrorInput
from ui.session.query_texts import shown_plans, typical_number
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return planned_session(qtbot, tmp_path)


def median_error(session: Session) -> float:
    assert session.forecast is not None
    return query_errors(session.forecast.plans[0].plans).typical.median


def test_the_budget_follows_and_can_be_taken_back(qtbot: QtBot, session: Session) -> None:
    card = DecisionCard(session, 0)
    show(qtbot, card)
    show(qtbot, card.typed)
    before = session.draft.leading.budget
    wanted = median_error(session) / 2
    write(qtbot, card.error.number, f"{wanted:.6f}")
    qtbot.waitUntil(lambda: session.draft.leading.budget != before and not session.busy, timeout=TIMEOUT)
    assert median_error(session) <= wanted
    session.undo_stack.undo()
    assert session.draft.leading.budget == before


def test_a_pause_in_typing_is_enough_and_what_is_half_typed_is_no_fault(
    qtbot: QtBot, session: Session
) -> None:
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    asked._pause.setInterval(1)
    told: list[object] = []
    asked.refused.connect(told.append)
    asked.number.selectAll()
    qtbot.keyClicks(asked.number, ".")
    session.forecast_changed.emit()
    assert asked.number.text() == ".", "a plan that comes meanwhile writes over nothing"
    qtbot.waitUntil(lambda: not asked.searching, timeout=TIMEOUT)
    asked.number.selectAll()
    wanted = median_error(session) / 2
    with qtbot.waitSignal(asked.found, timeout=TIMEOUT) as found:
        qtbot.keyClicks(asked.number, f"{wanted:.3f}")
    assert told == []
    qtbot.waitUntil(lambda: not asked.searching, timeout=TIMEOUT)
    assert found.args[0].total > session.draft.leading.budget.total


def test_an_error_that_one_number_for_all_would_have_is_refused_and_changes_nothing(
    qtbot: QtBot, session: Session
) -> None:
    """2 typed into 1.7 came out as 127, and set the least epsilon there is."""
    card, before = DecisionCard(session, 0), session.draft
    show(qtbot, card)
    show(qtbot, card.typed)
    write(qtbot, card.error.number, "127")
    assert card.message.isVisible()
    assert "one number for all would be off by less than 127" in card.message.text
    assert not card.error.searching
    assert session.draft == before


def test_epsilon_drives_the_error_and_a_typed_error_stays_as_it_was_typed(
    qtbot: QtBot, session: Session
) -> None:
    card = DecisionCard(session, 0)
    show(qtbot, card)
    show(qtbot, card.typed)
    session.forecast_changed.connect(card.refresh)
    assert card.error.number.text() == significant(median_error(session), 2)
    edit(qtbot, session, budget=Budget(total=Decimal(40)))
    assert card.error.number.text() == significant(median_error(session), 2)
    steps = session.undo_stack.index()
    write(qtbot, card.error.number, "0.9")
    qtbot.waitUntil(lambda: session.undo_stack.index() == steps + 1 and not session.busy, timeout=TIMEOUT)
    qtbot.waitUntil(lambda: not card.error.searching, timeout=TIMEOUT)
    assert card.error.number.text() == "0.9"
    assert median_error(session) <= 0.9
    edit(qtbot, session, budget=Budget(total=Decimal(2)))
    assert card.error.number.text() == significant(median_error(session), 2)


def test_the_search_can_be_stopped_and_nothing_changes(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered = threading.Event()

    def endless(*_: object, progress: Progress, **__: object) -> None:
        while True:
            entered.set()
            progress(0.5, "Looking for the budget")
            time.sleep(0.002)

    monkeypatch.setattr(error_input, "budget_for_error", endless)
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    before, shown = session.draft, asked.number.text()
    write(qtbot, asked.number, "1")
    qtbot.waitUntil(lambda: entered.is_set() and asked.stop.isVisible(), timeout=TIMEOUT)
    press(qtbot, asked.stop)
    assert not asked.searching
    assert asked.stop.isHidden()
    assert (session.draft, asked.number.text()) == (before, shown)


@pytest.mark.parametrize("text", ["", "two", "0", "-1", "inf"])
def test_what_is_no_error_is_refused(qtbot: QtBot, session: Session, text: str) -> None:
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    with qtbot.waitSignal(asked.refused, timeout=TIMEOUT) as refused:
        write(qtbot, asked.number, text)
    assert isinstance(refused.args[0], InputError)


def test_a_comma_is_read_and_what_is_out_of_reach_is_refused(qtbot: QtBot, session: Session) -> None:
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    with qtbot.waitSignal(asked.refused, timeout=TIMEOUT) as refused:
        write(qtbot, asked.number, "0,000000001")
    assert "No budget brings" in refused.args[0].what


def test_an_error_of_shares_that_is_out_of_reach_is_told_as_it_was_typed(
    qtbot: QtBot, session: Session
) -> None:
    """In percentage points: a curve of 13 bins has a bias that no budget takes away."""
    add_queries(qtbot, session, "cdf")
    asked = ErrorInput(session, lambda: session.draft.queries[1].id)
    show(qtbot, asked)
    with qtbot.waitSignal(asked.refused, timeout=TIMEOUT) as refused:
        write(qtbot, asked.number, "2")
    assert refused.args[0].what.endswith("to 2.")


def test_without_a_plan_there_is_nothing_to_type(qtbot: QtBot, session: Session) -> None:
    asked = ErrorInput(session, lambda: "no such query")
    qtbot.addWidget(asked)
    assert asked.isHidden()


def test_the_error_is_that_of_the_smoothed_numbers_where_there_are_any(
    qtbot: QtBot, session: Session
) -> None:
    leading = dataclasses.replace(session.draft.leading, mechanism="tokens", parameters={"mode": "exact"})
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.edit("Tokens", queries=(leading,))
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    asked = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, asked)
    with qtbot.waitSignal(asked.found, timeout=TIMEOUT) as found:
        write(qtbot, asked.number, "4")
    plan = shown_plans(session)[session.draft.leading.id]
    shown = session.forecast
    assert shown is not None
    assert shown.users is not None
    assert shown.selection is not None
    assert session.contributions is not None
    raw = budget_for_error(
        CountedCity(
            session.contributions,
            shown.users,
            shown.selection,
            minimum_vehicles=session.draft.minimum_vehicles,
        ),
        plan.query,
        4.0,
    )
    assert found.args[0].total < raw.budget.total
    asked.refresh()
    assert asked.note.text().startswith("Epsilon between ")
    assert asked.note.text().endswith(f" and {plain(found.args[0].total)} may be enough.")
    edit(qtbot, session, threshold=session.draft.threshold + 1)
    assert asked.note.text() == "Typing here sets epsilon."


def test_without_public_counts_a_total_is_found_for_the_constant_that_is_typed(
    qtbot: QtBot, tmp_path: Path
) -> None:
    taxis = taxi_session(qtbot, tmp_path)
    type_constants(qtbot, taxis, tmp_path, prior=PublicPrior())
    card = DecisionCard(taxis, 0)
    show(qtbot, card.typed)
    before, wanted = taxis.draft, float(card.error.number.text()) / 2
    write(qtbot, card.error.number, f"{wanted:.3f}")
    qtbot.waitUntil(lambda: taxis.draft != before and not taxis.busy, timeout=TIMEOUT)
    assert taxis.draft.hats_per_vehicle == before.hats_per_vehicle
    assert taxis.draft.leading.budget.amount > before.leading.budget.amount
    assert float(typical_number(shown_plans(taxis)[taxis.draft.leading.id])) <= wanted * 1.01
