"""ui.session.confirmation: what was confirmed is what the sentence said, in the page that shows it."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.clean.mapping import EVENTS
from tests.taxis import POPULATION, pings
from tests.ui.small_city import planned_session
from tests.ui.taxi_story import WAIT, rest, user_session
from tests.ui.user_actions import open_sections, press, show
from ui.parameters.page import ParametersPage
from ui.parameters.who_is_protected import WhoIsProtected
from ui.session.session import Session


def confirmed(qtbot: QtBot, session: Session) -> WhoIsProtected:
    """The section of the page, with its sentence confirmed."""
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page, width=340, height=1000)
    press(qtbot, page.protected.confirmed)
    assert session.draft.confirmed
    return page.protected


def test_another_epsilon_takes_back_the_confirmation_of_a_sentence_that_names_it(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """The tick stayed, beside a sentence with a factor that nobody had confirmed."""
    session = user_session(qtbot, tmp_path, pings())
    section = confirmed(qtbot, session)
    before, noted, stood = section.sentence.text(), [], []
    session.noted.connect(noted.append)
    session.confirmation.stands.connect(stood.append)
    session.set_budget("Epsilon", Budget(total=Decimal(7)))
    rest(qtbot, session)
    assert "at epsilon 7" in section.sentence.text() != before
    assert not section.confirmed.isChecked()
    assert any("confirm it again" in note for note in noted)
    stood.clear()
    session.undo_stack.undo()
    rest(qtbot, session)
    assert stood
    assert set(stood) <= set(noted), "what was noted is no longer so"
    assert section.sentence.text() == before
    assert section.confirmed.isChecked(), "this sentence was confirmed"
    session.edit("Constant", hats_per_vehicle=3)
    rest(qtbot, session)
    assert section.sentence.text() == before
    assert section.confirmed.isChecked(), "nothing that it names is another"


def test_another_delta_takes_back_the_confirmation_of_a_sentence_that_names_it(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """No choice changes then, but the limit of the population, perhaps by another window."""
    session = user_session(qtbot, tmp_path, pings())
    session.edit_query("Noise", number=0, parameters={"noise": "gauss"})
    rest(qtbot, session)
    section = confirmed(qtbot, session)
    assert section.sentence.text().endswith("1 in a million.")
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000), delta=Decimal("1e-5"))
    session.ledger.read()
    qtbot.waitUntil(lambda: "1 in 100,000" in section.sentence.text(), timeout=WAIT)
    assert not section.confirmed.isChecked()


@pytest.mark.parametrize(
    ("changes", "stays"),
    [({"threshold": 1}, False), ({"subject": "tram"}, False), ({"minimum_vehicles": 3}, True)],
    ids=["other hexagon slots", "another word for a vehicle", "nothing that it names"],
)
def test_where_values_are_protected_it_is_taken_back_with_the_figures(
    qtbot: QtBot, tmp_path: Path, changes: dict[str, Any], stays: bool
) -> None:
    session = planned_session(qtbot, tmp_path)
    section = confirmed(qtbot, session)
    before = section.sentence.text()
    session.edit("Other", **changes)
    rest(qtbot, session)
    assert (section.sentence.text() == before) is stays
    assert section.confirmed.isChecked() is stays


def test_records_that_are_events_make_no_visits_public(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    assert "how many records and visits a vehicle has" in (session.confirmation.sentence or "")
    assert session.source is not None
    rules = dataclasses.replace(session.source.rules, pings=EVENTS)
    session.load(dataclasses.replace(session.source, rules=rules), session.draft)
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT)
    assert "how many records a vehicle has" in (session.confirmation.sentence or "")
