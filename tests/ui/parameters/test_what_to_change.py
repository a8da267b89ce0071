"""ui.parameters.what_to_change: what betters a verdict is one press away."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.advice.usefulness import Usefulness
from core.advice.verdict import verdict_of
from tests.core.advice.test_city_advice import advice_of, option
from tests.ui.small_city import TIMEOUT, add_queries, edit
from tests.ui.user_actions import press, show
from ui.parameters.page import ParametersPage
from ui.parameters.what_to_change import WhatToChange
from ui.session.session import Session


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


def test_more_epsilon_is_offered_up_to_the_next_verdict(
    qtbot: QtBot, changes: WhatToChange, session: Session
) -> None:
    qtbot.waitUntil(lambda: not changes.epsilon.isHidden(), timeout=TIMEOUT)
    needed = changes._knobs.of_epsilon.bands
    assert needed is not None
    assert needed.rough is not None
    assert changes.epsilon.title.text() == f"Raise epsilon to {plain(needed.rough)}"
    more = plain(needed.rough - Decimal("0.1"))
    assert changes.epsilon.outcome.text() == f"Rough; costs {more} more"
    press(qtbot, changes.epsilon)
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert session.draft.leading.budget.total == needed.rough
    assert usefulness(session) is not Usefulness.NO_USE


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


def test_a_good_release_has_nothing_to_change(qtbot: QtBot, changes: WhatToChange, session: Session) -> None:
    edit(qtbot, session, budget=Budget(total=Decimal(500)))
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert usefulness(session) is Usefulness.GOOD
    changes._grids.advised.emit(advice_of(option(6, 240, 1.0)))
    qtbot.waitUntil(changes.isHidden, timeout=TIMEOUT)
