"""ui.errors.evaluation_dialog: the ledger holds the mark before anybody sees a true error."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.errors import LedgerError
from core.system.paths import find_home
from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import press, show, texts
from ui.errors.evaluation_dialog import EvaluationDialog
from ui.kit.jobs import wait_for_all
from ui.session.session import Session


@pytest.fixture
def session(qapp: object) -> Session:  # noqa: ARG001 - sessions need it
    return Session(find_home())


def made(qtbot: QtBot, session: Session) -> EvaluationDialog:
    dialog = EvaluationDialog(session)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    show(qtbot, dialog, width=520, height=460)
    return dialog


def ledger() -> Ledger:
    return Ledger.open(find_home().ledger)


def test_the_drafts_population_is_marked_before_it_is_accepted(qtbot: QtBot, session: Session) -> None:
    session.edit("Population", population="Buses")
    dialog = made(qtbot, session)
    assert dialog.population.currentText() == "Buses"
    assert not dialog.population.isEnabled()
    marked: list[bool] = []
    session.evaluated_changed.connect(lambda: marked.append(ledger().was_evaluated("Buses")))
    with qtbot.waitSignals([dialog.accepted, session.ledger_changed], timeout=TIMEOUT):
        press(qtbot, dialog.show_errors)
    assert marked == [True]
    assert session.ledger.evaluated_populations == {"Buses"}
    (population,) = ledger().populations()
    assert (population.name, population.per_vehicle) == ("Buses", None)


def test_without_a_population_one_is_named_and_chosen(qtbot: QtBot, session: Session) -> None:
    dialog = made(qtbot, session)
    assert "No population is chosen yet" in texts(dialog)
    assert not dialog.show_errors.isEnabled()
    dialog.population.setEditText("  ")
    assert not dialog.show_errors.isEnabled()
    qtbot.keyClicks(dialog.population.lineEdit(), "New buses ")
    with qtbot.waitSignal(dialog.accepted, timeout=TIMEOUT):
        press(qtbot, dialog.show_errors)
    assert session.draft.population == "New buses"
    assert session.ledger.evaluated_populations == {"New buses"}
    assert ledger().was_evaluated("New buses")


def test_an_unusable_name_is_told_in_place(qtbot: QtBot, session: Session) -> None:
    dialog = made(qtbot, session)
    dialog.population.setEditText("x" * 81)
    press(qtbot, dialog.show_errors)
    assert "cannot be the name" in dialog.message.text
    assert dialog.isVisible()
    assert not find_home().ledger.exists()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_pressed_in_passing_confirms_nothing(qtbot: QtBot, session: Session, key: Qt.Key) -> None:
    session.edit("Population", population="Buses")
    dialog = made(qtbot, session)
    qtbot.keyClick(dialog.focusWidget(), key)
    assert not dialog.isVisible()
    assert wait_for_all(10)
    assert not session.ledger.evaluated
    assert not find_home().ledger.exists()


def test_cancel_marks_nothing(qtbot: QtBot, session: Session) -> None:
    session.edit("Population", population="Buses")
    dialog = made(qtbot, session)
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel))
    assert not dialog.isVisible()
    assert not session.ledger.evaluated
    assert not find_home().ledger.exists()


def test_a_ledger_that_cannot_be_written_shows_nothing(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: Any) -> None:
        raise LedgerError("The ledger is busy.", where="ledger", mend="try again")

    session.edit("Population", population="Buses")
    monkeypatch.setattr(Ledger, "mark_evaluated", busy)
    dialog = made(qtbot, session)
    press(qtbot, dialog.show_errors)
    qtbot.waitUntil(dialog.message.isVisible, timeout=TIMEOUT)
    assert dialog.message.text == "The ledger is busy.\nledger\nTry again."
    assert dialog.isVisible()
    assert dialog.buttons.isEnabled()
    assert not session.ledger.evaluated


def test_the_ledger_is_written_off_the_window_s_thread_and_escape_waits(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    threads: list[threading.Thread] = []
    mark = Ledger.mark_evaluated

    def slow(*args: Any) -> None:
        threads.append(threading.current_thread())
        assert go_on.wait(10)
        mark(*args)

    monkeypatch.setattr(Ledger, "mark_evaluated", slow)
    session.edit("Population", population="Buses")
    dialog = made(qtbot, session)
    press(qtbot, dialog.show_errors)
    qtbot.waitUntil(lambda: bool(threads), timeout=TIMEOUT)
    assert threads[0] is not threading.main_thread()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert not session.ledger.evaluated
    with qtbot.waitSignal(dialog.accepted, timeout=TIMEOUT):
        go_on.set()
    assert session.ledger.evaluated


def test_a_kept_mark_outlives_the_window(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    session.edit("Population", population="Buses")
    dialog = made(qtbot, session)
    with qtbot.waitSignals([dialog.accepted, session.ledger_changed], timeout=TIMEOUT):
        press(qtbot, dialog.show_errors)
    assert tmp_path.is_dir()
    again = Session(find_home())
    with qtbot.waitSignal(again.ledger_changed, timeout=TIMEOUT):
        again.ledger.read()
    assert again.ledger.populations[0].evaluated_on is not None
    assert not again.ledger.evaluated, "another run asks again"
