"""ui.parameters.division_line: both divisions of a total in words, worked out in a worker."""

from __future__ import annotations

import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.advice.division_savings import DivisionSavings, HatNoise
from core.statistics.registry import require_statistic
from tests.ui.small_city import TIMEOUT, add_queries, edit, planned_session
from tests.ui.user_actions import show
from ui.parameters import division_line
from ui.parameters.division_line import DivisionLine, savings_text
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    """Planned with a mechanism that has noise which counts and epsilon alone decide."""
    planned = planned_session(qtbot, tmp_path)
    edit(qtbot, planned, mechanism="baseline")
    return planned


def made(qtbot: QtBot, session: Session, query_id: str = "mean_speed") -> DivisionLine:
    line = DivisionLine(session, lambda: query_id)
    show(qtbot, line, width=300, height=100)
    line.hide()
    line.refresh()
    return line


@pytest.mark.parametrize(
    ("optimal", "text"),
    [
        (2.5, "Largest noise of a hexagon slot: 10.00 equally, 2.50 km/h optimally (75\u00a0% less)."),
        (10.01, "Nothing to gain: the largest noise of a hexagon slot is 10.01 km/h either way."),
        (11.0, "Largest noise of a hexagon slot: 10.00 equally, 11.00 km/h optimally (10\u00a0% more)."),
    ],
)
def test_what_is_saved_in_words(optimal: float, text: str) -> None:
    savings = DivisionSavings(
        equal=HatNoise(worst=10.0, mean=1.25), optimal=HatNoise(worst=optimal, mean=2.0)
    )
    measure = require_statistic("mean").measures[0]
    told = savings_text(savings, measure, 65_000)
    assert told == f"{text} Mean noise: 1.25 equally, 2.00 optimally."


@pytest.mark.parametrize(
    ("statistic", "equal", "optimal", "told"),
    [
        ("cdf", 1.6957, 0.6347, "more than 100 (no information) equally, 63.47 percentage points optimally"),
        ("cdf", 9.0, 2.0, "equally, more than 100 percentage points (no information) optimally"),
        ("mean", 169.57, 63.47, "more than 65 (no information) equally, 63.47 km/h optimally"),
        ("query2", 169.57, 63.47, "169.57 equally, 63.47 vehicles per day optimally"),
    ],
)
def test_noise_wider_than_any_number_is_not_told_by_its_size(
    statistic: str, equal: float, optimal: float, told: str
) -> None:
    savings = DivisionSavings(
        equal=HatNoise(worst=equal, mean=0.5), optimal=HatNoise(worst=optimal, mean=0.25)
    )
    assert told in savings_text(savings, require_statistic(statistic).measures[0], 65_000)


def test_it_is_worked_out_in_a_worker(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    real = division_line.division_savings

    def watched(*args: Any, **named: Any) -> DivisionSavings:
        threads.append(threading.current_thread())
        return real(*args, **named)

    monkeypatch.setattr(division_line, "division_savings", watched)
    line = made(qtbot, session)
    qtbot.waitUntil(line.isVisible, timeout=TIMEOUT)
    assert len(threads) == 1
    assert threading.main_thread() not in threads


@pytest.mark.parametrize(
    "change",
    [
        {"budget": Budget(per_hat=Decimal(1))},
        {"mechanism": "levy", "parameters": {}},
        {"relation": None},
        {"unit": None},
        {"threshold": 99},
    ],
)
def test_it_is_hidden_where_there_is_nothing_to_compare(
    qtbot: QtBot, session: Session, change: dict[str, Any]
) -> None:
    line = made(qtbot, session)
    qtbot.waitUntil(line.isVisible, timeout=TIMEOUT)
    edit(qtbot, session, **change)
    assert line.isHidden()


def test_a_total_that_one_division_cannot_give_is_no_comparison(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[object] = []
    session.failed.connect(failed.append)
    line = made(qtbot, session)
    qtbot.waitUntil(line.isVisible, timeout=TIMEOUT)
    edit(qtbot, session, budget=Budget(total=Decimal("0.000002")))
    assert session.planning.problem is None
    qtbot.waitUntil(line.isHidden, timeout=TIMEOUT)
    assert failed == []

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(division_line, "division_savings", broken)
    edit(qtbot, session, budget=Budget(total=Decimal(7)))
    qtbot.waitUntil(lambda: bool(failed), timeout=TIMEOUT)  # a mistake of the program is nobody's choice
    assert isinstance(failed[0], ZeroDivisionError)
    assert line.isHidden()


def test_it_is_about_the_selected_query(qtbot: QtBot, session: Session) -> None:
    add_queries(qtbot, session, "query2")
    line = made(qtbot, session, "query2")
    qtbot.waitUntil(line.isVisible, timeout=TIMEOUT)
    assert "vehicles per day" in line.text.text()


def test_figures_of_the_same_query_stay_until_there_are_new_ones(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the line flickers at each stop of a slider; those of another query would mislead."""
    add_queries(qtbot, session, "query2")
    selected = ["mean_speed"]
    line = DivisionLine(session, lambda: selected[0])
    show(qtbot, line, width=300, height=100)
    line.refresh()
    qtbot.waitUntil(line.isVisible, timeout=TIMEOUT)
    before, may_end, real = line.text.text(), threading.Event(), division_line.division_savings

    def held(*args: Any, **named: Any) -> DivisionSavings:
        may_end.wait(TIMEOUT / 1000)
        return real(*args, **named)

    monkeypatch.setattr(division_line, "division_savings", held)
    edit(qtbot, session, budget=Budget(total=Decimal(5)))
    assert (line.isVisible(), line.text.text()) == (True, before)
    selected[0] = "query2"
    line.refresh()
    assert line.isHidden()
    may_end.set()
    qtbot.waitUntil(line.isVisible, timeout=TIMEOUT)
    assert line.text.text() != before
