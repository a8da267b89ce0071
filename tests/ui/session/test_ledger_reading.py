"""ui.session.ledger_reading: what another window has released foretells errors here."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.keys.signing_key import generate_key
from core.release.former_spreads import FormerSpreads, former_spreads
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from tests.city import PASSPHRASE, POPULATION, TOKENS, write_city
from tests.ui.release_story import WAIT_MS, make_home, make_session
from tests.ui.user_actions import show, texts
from ui.budget.decision_card import DecisionCard

NOW = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)


def test_a_release_of_the_population_foretells_the_next(qtbot: QtBot, tmp_path: Path) -> None:
    make_home(limit="100", key=False)
    spec = write_city(tmp_path / "city", edit=TOKENS)
    session = make_session(qtbot, spec)

    def foretold() -> tuple[float, ...] | None:
        return session.forecast.plans[0].smoothed_errors if session.forecast else None

    qtbot.waitUntil(lambda: foretold() is not None and not session.busy, timeout=WAIT_MS)
    before = foretold()
    assert session.planning.former == FormerSpreads()
    card = DecisionCard(session, 0)
    show(qtbot, card)
    assert "Foretold by" not in texts(card)
    with Ledger.open(session.home.ledger) as ledger:
        key = generate_key(tmp_path / "key", PASSPHRASE)
        publish(prepare(load_spec(spec), ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
        found = former_spreads(ledger, POPULATION)
    session.ledger.read()
    qtbot.waitUntil(lambda: session.planning.former == found, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: foretold() not in (None, before) and not session.busy, timeout=WAIT_MS)
    card.refresh()
    assert "Foretold by the release of 2022-01-03 to 2022-01-04." in texts(card)
    assert session.ledger.former_of("Trams") == FormerSpreads()


def test_what_a_release_itself_foretells_stands_beside_what_was_signed(qtbot: QtBot, tmp_path: Path) -> None:
    """The same release was signed as rough and shown as good, without a word."""
    make_home(limit="100", key=False)
    spec = write_city(tmp_path / "city", edit=(*TOKENS, ('total = "6"', 'total = "90"')))
    session = make_session(qtbot, spec)
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=WAIT_MS)
    card = DecisionCard(session, 0)
    show(qtbot, card)
    signed = card.error.number.text()
    assert "A smoothed 25 " in texts(card), "the number that is judged"
    with Ledger.open(session.home.ledger) as ledger:
        key = generate_key(tmp_path / "key", PASSPHRASE)
        published = publish(prepare(load_spec(spec), ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    session.release.set_published(published)
    qtbot.waitUntil(lambda: session.planning.former != FormerSpreads(), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=WAIT_MS)
    card.refresh()
    now = card.error.number.text()
    said = f"error {signed} km/h. By the published numbers: error {now} km/h."
    assert said in card.foretold.text() or now == signed, "noise may leave it as it was"
