"""ui.budget.advice_line: the adviser's answer beside the mechanism, from public counts only."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.mechanisms.registry import require_mechanism
from core.privacy import Relation, Unit
from core.spec.defaults import DEFAULT_MECHANISM
from tests.records import Ping
from tests.ui.small_city import (
    TIMEOUT,
    add_queries,
    edit,
    loaded_session,
    pings,
    planned_session,
    speed_of_bus,
)
from tests.ui.user_actions import press, show
from ui.budget.advice_line import AdviceLine
from ui.session.session import Session


def made(qtbot: QtBot, session: Session) -> AdviceLine:
    line = AdviceLine(session)
    show(qtbot, line, width=340, height=200)
    line.refresh()
    return line


def shifted(bus: int, step: int) -> float:
    return 50.0 - 3 * speed_of_bus(bus, step) % 40


def other_mechanism(session: Session) -> str:
    """One that is not advised."""
    assert session.forecast is not None
    assert session.forecast.advice is not None
    return "levy" if session.forecast.advice.mechanism != "levy" else "baseline"


def test_it_is_hidden_until_relation_and_unit_make_a_plan(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    line = made(qtbot, session)
    assert line.isHidden()
    edit(qtbot, session, unit=Unit.VEHICLE, threshold=3)
    assert line.isHidden()  # counts are public in relation values only
    edit(qtbot, session, relation=Relation.VALUES)
    assert not line.isHidden()
    edit(qtbot, session, threshold=50)
    assert line.isHidden()


def test_it_says_what_and_why_for_the_epsilon_of_the_draft(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    line = made(qtbot, session)
    assert session.forecast is not None
    assert session.forecast.advice is not None
    assert line.reason.text().endswith(session.forecast.advice.reason)
    assert "epsilon 5" in line.reason.text()
    edit(qtbot, session, budget=Budget(per_hat=Decimal(2)))
    assert "epsilon 2" in line.reason.text()


def test_one_press_and_one_undo(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism=other_mechanism(session), parameters={})
    line = made(qtbot, session)
    before, steps = session.draft, session.undo_stack.count()
    advice = session.planning.advice
    assert advice is not None
    assert line.use.isVisible()
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, line.use)
    assert session.draft.leading.mechanism == advice.mechanism
    assert session.draft.leading.parameters == dict(advice.params)
    assert session.undo_stack.count() == steps + 1
    assert require_mechanism(session.draft.leading.mechanism).title in line.reason.text()
    assert not line.use.isVisible()
    session.undo_stack.undo()
    assert session.draft == before
    assert line.use.isVisible()


@pytest.mark.parametrize("epsilon", ["0.5", "10"])
def test_other_values_with_the_same_counts_change_nothing(qtbot: QtBot, tmp_path: Path, epsilon: str) -> None:
    told = []
    cities: dict[str, list[Ping]] = {"plain": pings(), "other": pings(shifted)}
    assert cities["plain"] != cities["other"]
    for name, city in cities.items():
        session = planned_session(qtbot, tmp_path / name, city)
        edit(qtbot, session, budget=Budget(per_hat=Decimal(epsilon)))
        line = made(qtbot, session)
        told.append((session.planning.advice, line.reason.text(), line.use.isHidden()))
    assert told[0] == told[1]


def test_it_is_the_mean_s_wherever_that_stands(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism=other_mechanism(session), parameters={})
    add_queries(qtbot, session, "query1")
    edit(qtbot, session, queries=tuple(reversed(session.draft.queries)))
    line = made(qtbot, session)
    assert session.planning.advice is not None
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, line.use)
    query1, mean = session.draft.queries
    assert (query1.statistic, query1.mechanism, query1.parameters) == ("query1", DEFAULT_MECHANISM, {})
    assert mean.mechanism == session.planning.advice.mechanism
    edit(qtbot, session, queries=(query1,))
    assert line.isHidden()
