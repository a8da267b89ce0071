"""The review of relation `user` knows constants alone; what the panel counts with stands beside it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.prior.public_prior import PublicPrior
from core.release.signing_key import generate_key
from tests.city import PASSPHRASE
from tests.ui.release_story import WAIT_MS, make_page
from tests.ui.taxi_story import rest, user_session
from ui.budget.decision_card import DecisionCard
from ui.release.dialog import ReleaseDialog, Stage
from ui.session.session import Session

WARNED = "a number in a hexagon slot of 5 vehicles tells no more than one constant"


def reviewed(qtbot: QtBot, session: Session, folder: Path) -> tuple[ReleaseDialog, list[str]]:
    """The review that a click opens, and what it says."""
    page = make_page(qtbot, session, folder / "out")
    page.review()
    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.stage is Stage.READY, timeout=WAIT_MS)
    return dialog, [part.text().replace("\u200b", "") for part in dialog.area.widget().findChildren(QLabel)]


def test_the_review_and_the_panel_say_what_each_of_them_rests_on(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    generate_key(session.home.default_key.with_suffix(""), PASSPHRASE)
    texts = {"name": "taxis", "title": "Taxis", "publisher": "City", "contact": "c@city.example"}
    session.set_budget("Epsilon", Budget(total=Decimal("5.5")))
    session.edit("Texts", confirmed=True, **texts)
    rest(qtbot, session)
    card = DecisionCard(session, 0)
    qtbot.addWidget(card)
    panel = card.verdict.text()
    assert panel.startswith("Typically off by ")
    dialog, told = reviewed(qtbot, session, tmp_path)
    assert not any(line.startswith("Warning: ") for line in told)
    (line,) = (line for line in told if WARNED in line)
    assert line.startswith(f"By what is known beforehand, as Decide counts: {panel} By the threshold alone: ")
    assert told[told.index("Known beforehand") + 1].endswith(panel)
    dialog.reject()

    session.edit("Nothing known", prior=PublicPrior())
    rest(qtbot, session)
    dialog, told = reviewed(qtbot, session, tmp_path)
    assert any(line.startswith("Warning: ") and WARNED in line for line in told)
    assert "Known beforehand" not in told
    dialog.reject()
