"""ui.budget.limit_dialog: writes the ledger in a worker, refuses in place, never loses what was typed."""

from __future__ import annotations

import math
import threading
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialogButtonBox, QLabel
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.errors import LedgerError
from core.system.paths import find_home
from tests.core.accounting.ledger_cases import request_of
from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import press, show, texts, write
from ui.budget.limit_dialog import LimitDialog
from ui.budget.limit_meaning import limit_meaning
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    home = find_home()
    home.create()
    Ledger.open(home.ledger).set_limit("Buses", per_vehicle=Decimal("7.5"), per_vehicle_day=Decimal(2))
    made = Session(home)
    with qtbot.waitSignal(made.ledger_changed, timeout=TIMEOUT):
        made.ledger.read()
    return made


@pytest.fixture
def dialog(qtbot: QtBot, session: Session) -> LimitDialog:
    made = LimitDialog(session)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    show(qtbot, made, width=480, height=320)
    return made


def save(qtbot: QtBot, dialog: LimitDialog) -> None:
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Save))


def fill(qtbot: QtBot, dialog: LimitDialog, name: str, per_vehicle: str, per_day: str = "") -> None:
    dialog.population.setCurrentText(name)
    for field, text in ((dialog.per_vehicle, per_vehicle), (dialog.per_vehicle_day, per_day)):
        field.setText("")
        qtbot.keyClicks(field, text)


def limits() -> dict[str, tuple[Decimal, Decimal | None]]:
    populations = Ledger.open(find_home().ledger).populations()
    return {item.name: (item.per_vehicle, item.per_vehicle_day) for item in populations}


def test_a_known_population_shows_its_limits(dialog: LimitDialog) -> None:
    dialog.population.setCurrentText("Buses")
    assert (dialog.per_vehicle.text(), dialog.per_vehicle_day.text()) == ("7.5", "2")


def test_it_says_what_a_limit_means_and_that_the_sum_over_years_counts(dialog: LimitDialog) -> None:
    told = limit_meaning()
    assert told in texts(dialog)
    lines = {one.text(): one for one in dialog.findChildren(QLabel) if one.isVisible()}
    (decision,) = (one for text, one in lines.items() if text.startswith("Your office sets this limit for"))
    assert decision.mapTo(dialog, QPoint()).y() < dialog.population.mapTo(dialog, QPoint()).y()
    assert "A delta of 0 allows Laplace noise only" in texts(dialog), "which 0 it is"
    assert "a limit of 120 allows twelve releases of 10" in told
    assert (round(math.e, 1), round(math.exp(10), -3)) == (2.7, 22_000)
    assert len(str(int(math.exp(100)))) == 44
    assert all(factor in told for factor in ("at most 2.7", "22,100 times", "44 digits"))


def test_saving_writes_the_ledger_and_chooses_the_population(
    qtbot: QtBot, dialog: LimitDialog, session: Session
) -> None:
    fill(qtbot, dialog, " Trams ", "12.5")
    assert dialog.delta.text() == "0"
    with qtbot.waitSignals([dialog.accepted, session.ledger_changed], timeout=TIMEOUT):
        save(qtbot, dialog)
    assert limits() == {"Buses": (Decimal("7.5"), Decimal(2)), "Trams": (Decimal("12.5"), None)}
    assert session.draft.population == "Trams"
    assert session.ledger.population is not None


def test_the_chosen_population_stays(qtbot: QtBot, session: Session) -> None:
    session.edit("Population", population="Buses")
    dialog = LimitDialog(session)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    show(qtbot, dialog)
    assert dialog.population.currentText() == "Buses"
    fill(qtbot, dialog, "Trams", "3", "1")
    with qtbot.waitSignals([dialog.accepted, session.ledger_changed], timeout=TIMEOUT):
        save(qtbot, dialog)
    assert session.draft.population == "Buses"
    assert limits()["Trams"] == (Decimal(3), Decimal(1))


@pytest.mark.parametrize(
    ("name", "per_vehicle", "per_day", "where"),
    [
        ("Trams", "0", "", "Epsilon per vehicle"),
        ("Trams", "-1", "", "Epsilon per vehicle"),
        ("Trams", "inf", "", "Epsilon per vehicle"),
        ("Trams", "", "", "Epsilon per vehicle"),
        ("Trams", "5", "much", "Epsilon per vehicle and day"),
        ("", "5", "", "population"),
        ("x" * 81, "5", "", "population"),
    ],
)
def test_bad_text_is_told_in_place(
    qtbot: QtBot, dialog: LimitDialog, name: str, per_vehicle: str, per_day: str, where: str
) -> None:
    before = limits()
    fill(qtbot, dialog, name, per_vehicle, per_day)
    save(qtbot, dialog)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    what, told, mend = dialog.message.text.split("\n")
    assert what
    assert told == where
    assert mend
    assert dialog.isVisible()
    assert dialog.buttons.isEnabled()
    assert dialog.per_vehicle.text() == per_vehicle
    assert limits() == before


def test_after_a_refusal_the_mended_text_is_saved(qtbot: QtBot, dialog: LimitDialog) -> None:
    fill(qtbot, dialog, "Trams", "none")
    save(qtbot, dialog)
    write(qtbot, dialog.per_vehicle, "4")
    if dialog.isVisible() and dialog.buttons.isEnabled():
        save(qtbot, dialog)
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=TIMEOUT)
    assert limits()["Trams"] == (Decimal(4), None)


def test_the_ledger_is_written_off_the_window_s_thread_and_escape_waits(
    qtbot: QtBot, dialog: LimitDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    threads: list[threading.Thread] = []
    write_limit = Ledger.set_limit

    def slow(*args: Any, **named: Any) -> None:
        threads.append(threading.current_thread())
        assert go_on.wait(10)
        write_limit(*args, **named)

    monkeypatch.setattr(Ledger, "set_limit", slow)
    fill(qtbot, dialog, "Trams", "4")
    save(qtbot, dialog)
    qtbot.waitUntil(lambda: bool(threads), timeout=TIMEOUT)
    assert threads[0] is not threading.main_thread()
    assert not dialog.buttons.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    with qtbot.waitSignal(dialog.accepted, timeout=TIMEOUT):
        go_on.set()
    assert "Trams" in limits()


def test_a_busy_ledger_is_told_and_the_dialog_stays(
    qtbot: QtBot, dialog: LimitDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: Any, **__: Any) -> None:
        raise LedgerError("The ledger is busy.", where="ledger", mend="try again")

    monkeypatch.setattr(Ledger, "set_limit", busy)
    fill(qtbot, dialog, "Trams", "4")
    save(qtbot, dialog)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert dialog.message.text == "The ledger is busy.\nledger\nTry again."
    assert dialog.isVisible()
    assert dialog.buttons.isEnabled()


def test_cancel_closes_and_changes_nothing(qtbot: QtBot, dialog: LimitDialog, tmp_path: Path) -> None:
    before = limits()
    fill(qtbot, dialog, "Trams", "4")
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel))
    assert not dialog.isVisible()
    assert limits() == before
    assert not list(tmp_path.glob("*.tmp"))


def test_a_linked_population_shows_its_own_limit(qtbot: QtBot, session: Session) -> None:
    ledger = Ledger.open(find_home().ledger)
    ledger.set_limit("Trams", per_vehicle=Decimal(9))
    ledger.link("Trams", "Buses")
    ledger.mark_evaluated("Ferries")
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    dialog = LimitDialog(session)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    show(qtbot, dialog)
    dialog.population.setCurrentText("Trams")
    assert (dialog.per_vehicle.text(), dialog.per_vehicle_day.text()) == ("9", "")


def test_a_delta_is_shown_kept_and_refused_in_place(
    qtbot: QtBot, session: Session, dialog: LimitDialog
) -> None:
    """A raised limit must not take the delta away: what was bought with it could not be counted any more."""
    fill(qtbot, dialog, "Buses", "8")
    dialog.delta.clear()
    qtbot.keyClicks(dialog.delta, "1e-6")
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        save(qtbot, dialog)
    assert Ledger.open(find_home().ledger).delta_of("Buses") == Decimal("1e-6")
    again = LimitDialog(session)
    again.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    show(qtbot, again, width=480, height=420)
    again.population.setCurrentText("Buses")
    assert again.delta.text() == "1e-6"
    again.delta.clear()
    qtbot.keyClicks(again.delta, "2")
    save(qtbot, again)
    assert "from 0 to below 1" in again.message.text
    assert Ledger.open(find_home().ledger).delta_of("Buses") == Decimal("1e-6")


def test_a_delta_too_large_is_warned_of_while_it_is_typed_and_refused_when_saved(
    qtbot: QtBot, session: Session
) -> None:
    ledger = Ledger.open(find_home().ledger)
    ledger.reserve(request_of("1", population="Buses", vehicles=map(str, range(2000))))
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        session.ledger.read()
    dialog = LimitDialog(session)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    show(qtbot, dialog, width=480, height=420)
    dialog.population.setCurrentText("Buses")
    for typed, warned in (("1e-6", False), ("1e-3", True), ("1e-4", False), ("0.9", True)):
        dialog.delta.clear()
        qtbot.keyClicks(dialog.delta, typed)
        assert ("the 2,000 vehicles" in dialog.message.text and dialog.message.isVisible()) is warned
    save(qtbot, dialog)
    qtbot.waitUntil(lambda: "Delta is above 0.001" in dialog.message.text, timeout=TIMEOUT)
    assert ledger.delta_of("Buses") == 0
