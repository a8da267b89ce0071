"""ui.parameters.what_to_change: what betters a verdict is one press away."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QWidget
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.accounting.ledger import Ledger
from core.advice.usefulness import Usefulness
from core.advice.verdict import verdict_of
from core.privacy import Relation
from core.statistics.share import STATISTIC as SHARES
from tests.core.advice.test_city_advice import advice_of, option
from tests.records import Ping, instant
from tests.ui.small_city import PLACES, TIMEOUT, add_queries, edit, planned_session
from tests.ui.user_actions import press, show
from ui.budget.limit_dialog import LimitDialog
from ui.layout.boxes import in_column
from ui.parameters.page import ParametersPage
from ui.parameters.what_to_change import WhatToChange
from ui.session.query_texts import typical_number
from ui.session.session import Session


def error_in(session: Session) -> str:
    assert session.forecast is not None
    assert session.forecast.plan is not None
    return typical_number(session.forecast.plan)


def usefulness(session: Session) -> Usefulness:
    assert session.forecast is not None
    assert session.forecast.plan is not None
    return verdict_of(session.forecast.plan).usefulness


@pytest.fixture
def changes(qtbot: QtBot, session: Session) -> WhatToChange:
    page = ParametersPage(session)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal("0.1")))
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    show(qtbot, page, width=398, height=1200)
    return page.changes


def test_a_better_grid_costs_the_same(qtbot: QtBot, changes: WhatToChange, session: Session) -> None:
    assert usefulness(session) is Usefulness.NO_USE
    changes._grids.advised.emit(advice_of(option(6, 240, 1.84)))
    assert not changes.grid.isHidden()
    assert changes.grid.title.text().endswith(" km², 4 hours")
    assert changes.grid.outcome.text() == "Good, error 1.8; same cost"
    assert changes.grid.accessibleName() == f"{changes.grid.title.text()}: {changes.grid.outcome.text()}"
    press(qtbot, changes.grid)
    assert (session.draft.resolution, session.draft.slot_minutes) == (6, 240)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    changes._grids.advised.emit(advice_of(option(6, 240, 9.0)))
    assert changes.grid.isHidden(), "of no use either"


def test_grids_are_compared_for_the_page_while_their_section_is_closed(
    qtbot: QtBot, changes: WhatToChange, session: Session
) -> None:
    """Place and timeslot had no advice after a change, and what to change no grid."""
    page = changes.window()
    assert isinstance(page, ParametersPage)
    page.sections["grids"].head.setChecked(False)
    edit(qtbot, session, threshold=2)
    assert not page.knobs.of_place.text.text()
    qtbot.waitUntil(lambda: bool(page.knobs.of_place.text.text()), timeout=TIMEOUT)
    page.hide()
    edit(qtbot, session, threshold=1)
    qtbot.wait(900)
    assert not page.grids.job.running, "nobody sees them"
    page.show()
    qtbot.waitUntil(lambda: bool(page.knobs.of_place.text.text()), timeout=TIMEOUT)


def test_an_error_of_shares_is_in_points_as_in_the_list_of_grids(changes: WhatToChange) -> None:
    """It was a hundredth of what the list said of the same grid."""
    advice = dataclasses.replace(advice_of(option(6, 240, 0.0184)), measure=SHARES.measures[0])
    changes._grids.advised.emit(advice)
    assert changes.grid.outcome.text() == "Good, error 1.8; same cost"


@pytest.mark.parametrize("where", ["what to change", "advice"])
def test_more_epsilon_is_offered_up_to_the_next_verdict(
    qtbot: QtBot, changes: WhatToChange, session: Session, where: str
) -> None:
    """Below epsilon a warning said what the grid needs, and nothing took it."""
    qtbot.waitUntil(lambda: not changes.epsilon.isHidden(), timeout=TIMEOUT)
    needed = changes._knobs.of_epsilon.bands
    assert needed is not None
    assert needed.rough is not None
    assert changes.epsilon.title.text() == f"Raise epsilon to {plain(needed.rough)}"
    more = plain(needed.rough - Decimal("0.1"))
    assert changes.epsilon.outcome.text() == f"Rough; costs {more} more"
    line = changes._knobs.of_epsilon
    said = f"This grid needs {plain(needed.rough)} to be rough."
    assert (line.sign.text(), line.text.text()) == ("!", said)
    press(qtbot, line.take if where == "advice" else changes.epsilon)
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert session.draft.leading.budget.total == needed.rough
    assert usefulness(session) is not Usefulness.NO_USE
    assert not line.take.isVisible()
    session.undo_stack.undo()
    assert session.draft.leading.budget.total == Decimal("0.1")


def test_epsilon_is_offered_while_another_step_hides_the_parameters(
    qtbot: QtBot, changes: WhatToChange, session: Session
) -> None:
    """*Decide* stands beside every step, and offered none but in this one."""
    page, column = changes.window(), QWidget()
    page.hide()
    in_column(column, changes)
    show(qtbot, column, width=398, height=400)
    edit(qtbot, session, threshold=2)
    assert changes.isHidden(), "of the grid before"
    qtbot.waitUntil(lambda: not changes.epsilon.isHidden(), timeout=TIMEOUT)
    assert changes.isVisible()
    column.hide()
    edit(qtbot, session, threshold=1)
    qtbot.wait(500)
    assert changes.isHidden(), "nobody computes what nobody sees"
    column.show()
    qtbot.waitUntil(lambda: not changes.epsilon.isHidden(), timeout=TIMEOUT)
    page.deleteLater()


def test_no_epsilon_is_to_be_taken_that_is_not_left(
    qtbot: QtBot, changes: WhatToChange, session: Session
) -> None:
    session.home.create()
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal("0.2"))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    edit(qtbot, session, population="Buses")
    line = changes._knobs.of_epsilon
    qtbot.waitUntil(lambda: line.bands is not None and bool(line.text.text()), timeout=TIMEOUT)
    assert (line.sign.text(), line.take.isVisible(), changes.epsilon.isHidden()) == ("i", False, True)


def test_of_several_statistics_each_change_names_its_own(
    qtbot: QtBot, changes: WhatToChange, session: Session
) -> None:
    """A grid that is good for the mean was offered by the mean's error, for the verdict on another one."""
    add_queries(qtbot, session, "query1")
    changes._grids.advised.emit(advice_of(option(6, 240, 1.84)))
    assert changes.grid.outcome.text() == "Mean speed: Good, error 1.8; same cost"
    qtbot.waitUntil(lambda: not changes.epsilon.isHidden(), timeout=TIMEOUT)
    assert changes.epsilon.outcome.text().startswith("Mean speed: Rough; costs ")
    session.set_budget("Epsilon", Budget(total=Decimal(500)))
    session.set_budget("Epsilon", Budget(total=Decimal("0.1")), number=1)
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert usefulness(session) is Usefulness.GOOD
    changes._grids.advised.emit(advice_of(option(6, 240, 1.84)))
    assert changes.grid.isHidden(), "the mean is good, and the other one was not compared"


BUSY = [
    Ping(f"bus{bus}", instant(f"2022-01-01T{hour:02}:05:00") + 60_000 * step, *at, 20.0 + bus)
    for hour in range(24)
    for at in PLACES
    for bus in range(5)
    for step in range(3)
]
"""Each of five buses is in every hexagon slot of a day."""


@pytest.fixture
def of_a_busy_day(qtbot: QtBot, tmp_path: Path) -> WhatToChange:
    session = planned_session(qtbot, tmp_path, BUSY)
    page = ParametersPage(session)
    asked = {"mechanism": "tokens", "parameters": {}, "budget": Budget(total=Decimal(10))}
    edit(qtbot, session, hours=("00:00", "24:00"), **asked)
    show(qtbot, page, width=398, height=1200)
    qtbot.waitUntil(lambda: not page.changes.delta.isHidden(), timeout=TIMEOUT)
    return page.changes


def allow_delta(qtbot: QtBot, changes: WhatToChange) -> None:
    """By the dialog that the button opens."""
    press(qtbot, changes.delta)
    dialog = changes.findChild(LimitDialog)
    dialog.population.setCurrentText("Buses")
    dialog.per_vehicle.setText("50")
    dialog.delta.setText("1e-6")
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Save))


def test_what_a_delta_would_bring_is_what_a_plan_with_it_foretells(
    qtbot: QtBot, of_a_busy_day: WhatToChange
) -> None:
    """Of joint statistics nothing in the window said that Gaussian noise is smaller."""
    changes, session = of_a_busy_day, of_a_busy_day._session
    session.home.create()
    assert changes.delta.title.text() == "Allow a delta of 1e-6…"
    promised = changes.delta.outcome.text()
    before = error_in(session)
    allow_delta(qtbot, changes)
    qtbot.waitUntil(lambda: bool(session.ledger.delta) and changes.delta.isHidden(), timeout=TIMEOUT)
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    word = usefulness(session).value.capitalize()
    assert promised == f"{word}, error {error_in(session)}"
    assert float(error_in(session)) < float(before)


def test_what_a_delta_would_bring_is_of_the_choices_of_now(qtbot: QtBot, of_a_busy_day: WhatToChange) -> None:
    changes, session = of_a_busy_day, of_a_busy_day._session
    promised = changes.delta.outcome.text()
    edit(qtbot, session, budget=Budget(total=Decimal(5)))
    assert changes.delta.isHidden(), "not known yet"
    qtbot.waitUntil(lambda: not changes.delta.isHidden(), timeout=TIMEOUT)
    assert changes.delta.outcome.text() != promised
    edit(qtbot, session, parameters={"noise": "laplace"})
    qtbot.wait(1500)
    assert changes.delta.isHidden(), "Laplace noise was chosen"


def test_in_relation_user_no_delta_is_advised_from_records(qtbot: QtBot, of_a_busy_day: WhatToChange) -> None:
    session = of_a_busy_day._session
    session.choose_relation("Relation", Relation.USER)
    qtbot.waitUntil(lambda: not session.busy and of_a_busy_day.delta.isHidden(), timeout=TIMEOUT)
    qtbot.wait(1500)
    assert of_a_busy_day.delta.isHidden()


def test_a_good_release_has_nothing_to_change(qtbot: QtBot, changes: WhatToChange, session: Session) -> None:
    edit(qtbot, session, budget=Budget(total=Decimal(500)))
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert usefulness(session) is Usefulness.GOOD
    changes._grids.advised.emit(advice_of(option(6, 240, 1.0)))
    qtbot.waitUntil(changes.isHidden, timeout=TIMEOUT)
