"""ui.budget.limit_input: a population and its limit in place, written to the ledger."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.accounting.ledger_report import PopulationSummary
from core.errors import LedgerError
from tests.ui.small_city import TIMEOUT, planned_session
from tests.ui.user_actions import pick, refusal, show
from ui.budget.limit_input import LimitInput
from ui.budget.limit_meaning import limit_meaning
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return planned_session(qtbot, tmp_path)


@pytest.fixture
def row(qtbot: QtBot, session: Session) -> LimitInput:
    made = LimitInput(session)
    show(qtbot, made, width=320, height=80)
    return made


def held(session: Session) -> dict[str, PopulationSummary]:
    return {item.name: item for item in Ledger.open(session.home.ledger).populations()}


def type_in(qtbot: QtBot, row: LimitInput, name: str, limit: str) -> None:
    """By the keyboard alone, from the name on."""
    row.name.setFocus()
    row.name.selectAll()
    qtbot.keyClicks(row.name, name)
    qtbot.keyClick(row.name, Qt.Key.Key_Return)
    row.limit.selectAll()
    qtbot.keyClicks(row.limit, limit)


def test_a_new_population_is_named_limited_and_charged_at_once(
    qtbot: QtBot, row: LimitInput, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    set_limit = Ledger.set_limit

    def noted(ledger: Ledger, name: str, **limits: Any) -> None:
        written.append(name)
        set_limit(ledger, name, **limits)

    monkeypatch.setattr(Ledger, "set_limit", noted)
    assert row.name.placeholderText() == "none yet: name one, such as City buses"
    assert not row.set.isEnabled()
    type_in(qtbot, row, "City buses", "50")
    assert row.set.isEnabled()
    assert row.population.count() == 0, "nothing is in the list before it is in the ledger"
    with qtbot.waitSignal(row.accepted, timeout=TIMEOUT):
        qtbot.keyClick(row.limit, Qt.Key.Key_Return)
        assert not row.set.isEnabled(), "it is being written"
        qtbot.keyClick(row.limit, Qt.Key.Key_Return)
    assert written == ["City buses"], "once, however often one presses"
    qtbot.waitUntil(lambda: session.ledger.population is not None, timeout=TIMEOUT)
    assert held(session)["City buses"].own_per_vehicle == Decimal(50)
    assert session.draft.population == "City buses"
    assert (row.name.text(), row.limit.text()) == ("City buses", "50")
    assert not row.set.isEnabled()
    session.edit("Population", population="")
    assert (row.name.text(), row.limit.text(), row.name.placeholderText()) == ("", "", "choose or name one")


def test_beside_the_limit_a_sign_tells_what_it_means(row: LimitInput) -> None:
    assert row.meaning.isVisible()
    assert row.meaning.accessibleName() == "What the size of a limit means"
    assert row.meaning.explanation == limit_meaning()


def test_a_known_population_is_chosen_with_its_limit_and_that_is_changed(
    qtbot: QtBot, row: LimitInput, session: Session
) -> None:
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit("Buses", per_vehicle=Decimal(9), per_vehicle_day=Decimal(2), delta=Decimal("1e-6"))
    ledger.set_limit("Trams", per_vehicle=Decimal(7))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    pick(qtbot, row.population, "Buses")
    row.population.activated.emit(row.population.currentIndex())
    assert (session.draft.population, row.limit.text()) == ("Buses", "9")
    row.limit.selectAll()
    qtbot.keyClicks(row.limit, "12")
    with qtbot.waitSignal(row.accepted, timeout=TIMEOUT):
        qtbot.mouseClick(row.set, Qt.MouseButton.LeftButton)
    # the ledger is read once for the choice, and again for the limit
    qtbot.waitUntil(lambda: held(session)["Buses"].own_per_vehicle == Decimal(12), timeout=TIMEOUT)
    buses = held(session)["Buses"]
    assert buses.own_per_vehicle_day == Decimal(2)
    assert buses.delta == Decimal("1e-6")
    assert held(session)["Trams"].own_per_vehicle == Decimal(7)
    row.name.selectAll()
    qtbot.keyClicks(row.name, "Trams")
    assert row.limit.text() == "7", "as soon as it is one that is known"
    qtbot.waitUntil(row.set.isEnabled, timeout=TIMEOUT)  # it would pay in place of the other


@pytest.mark.parametrize(("name", "limit"), [("", "5"), ("Buses", "0"), ("Buses", "ten")])
def test_what_is_no_limit_is_refused_and_nothing_is_written(
    qtbot: QtBot, row: LimitInput, session: Session, name: str, limit: str
) -> None:
    type_in(qtbot, row, name, limit)
    with refusal(qtbot, row.refused):
        qtbot.keyClick(row.limit, Qt.Key.Key_Return)
    assert row.focusWidget() is (row.limit if name else row.population), "there it is mended"
    assert held(session) == {}
    assert session.draft.population == ""


def test_what_somebody_types_is_not_written_over(qtbot: QtBot, row: LimitInput, session: Session) -> None:
    row.name.setFocus()
    qtbot.keyClicks(row.name, "Night b")
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert row.name.text() == "Night b"


def test_a_limit_that_cannot_be_written_is_said_so_and_may_be_set_again(
    qtbot: QtBot, row: LimitInput, session: Session
) -> None:
    session.home.ledger.parent.mkdir(parents=True, exist_ok=True)
    session.home.ledger.write_bytes(b"no ledger " * 500)
    type_in(qtbot, row, "City buses", "50")
    with qtbot.waitSignal(row.refused, timeout=TIMEOUT) as refused:
        qtbot.keyClick(row.limit, Qt.Key.Key_Return)
    assert isinstance(refused.args[0], LedgerError)
    qtbot.waitUntil(row.set.isEnabled, timeout=TIMEOUT)
    assert session.draft.population == ""
