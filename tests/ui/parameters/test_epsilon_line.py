"""ui.parameters.epsilon_line: what a good release needs, beside the epsilon that is chosen."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.advice.usefulness import Usefulness
from core.advice.verdict import verdict_of
from core.prior.public_prior import PublicPrior
from core.privacy import Relation
from tests.taxis import pings
from tests.ui.small_city import TIMEOUT, edit, planned_session
from tests.ui.taxi_story import user_session
from tests.ui.user_actions import show
from ui.parameters.epsilon_line import EpsilonLine
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return planned_session(qtbot, tmp_path)


@pytest.fixture
def line(qtbot: QtBot, session: Session) -> EpsilonLine:
    return made(qtbot, session)


def made(qtbot: QtBot, session: Session) -> EpsilonLine:
    around = QWidget()
    line = EpsilonLine(session, lambda: session.draft.leading, around)
    session.draft_changed.connect(line.refresh)
    show(qtbot, around, width=420, height=40)
    line.resize(400, 20)
    return line


def known(qtbot: QtBot, line: EpsilonLine) -> str:
    line.refresh()
    qtbot.waitUntil(lambda: "needs" in line.text.text(), timeout=TIMEOUT)
    return line.sign.text()


def test_it_says_what_is_needed_and_of_another_amount_without_computing_anew(
    qtbot: QtBot, line: EpsilonLine, session: Session
) -> None:
    session.set_mechanism("Mechanism", "baseline", {})
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    known(qtbot, line)
    bands = line.bands
    assert bands is not None
    assert bands.good is not None
    assert line.text.text() == f"Error {bands.good_error} needs {bands.good}; smaller protects more."
    edit(qtbot, session, budget=Budget(total=bands.good))
    assert known(qtbot, line) == "✓"
    edit(qtbot, session, budget=Budget(total=bands.good / 1000))
    assert known(qtbot, line) == "!"
    assert line.bands is bands


def test_another_grid_needs_another_epsilon(qtbot: QtBot, line: EpsilonLine, session: Session) -> None:
    known(qtbot, line)
    before, shown = line.bands, []
    line.bands_changed.connect(shown.append)
    edit(qtbot, session, threshold=1)
    known(qtbot, line)
    assert line.bands is not before
    assert shown == [None, line.bands], "meanwhile the slider has no bands of the grid before"


def test_what_it_says_of_choices_that_cannot_be_goes_when_they_are_undone(
    qtbot: QtBot, line: EpsilonLine, session: Session
) -> None:
    """The problem stayed below an epsilon that was planned again, and the slider had no bands."""
    known(qtbot, line)
    before, bands = line.text.text(), line.bands
    edit(qtbot, session, threshold=50)
    assert line.text.text() == "The threshold leaves no hexagon slot."
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    assert known(qtbot, line)
    assert (line.text.text(), line.bands) == (before, bands)


@pytest.mark.parametrize("changes", [{}, {"prior": PublicPrior()}, {"mechanism": "plan-and-enforce"}])
def test_in_relation_user_it_follows_from_public_constants_as_the_verdict_does(
    qtbot: QtBot, tmp_path: Path, changes: dict[str, Any]
) -> None:
    """There was a verdict, and no line said what would better it."""
    bands = []
    for rows in (None, pings()[::2]):
        session = user_session(qtbot, tmp_path / str(rows is None), rows)
        if changes:
            edit(qtbot, session, **changes)
        line = made(qtbot, session)
        known(qtbot, line)
        bands.append(line.bands)
    assert bands[0] == bands[1], "no record has a part in it"
    assert bands[0].rough < bands[0].good
    for total, expected in ((bands[0].rough, Usefulness.ROUGH), (bands[0].good, Usefulness.GOOD)):
        edit(qtbot, session, budget=Budget(total=total))
        assert session.forecast.plan is not None
        assert verdict_of(session.forecast.plan).usefulness is expected


def test_in_relation_user_nothing_follows_from_counts(
    qtbot: QtBot, line: EpsilonLine, session: Session
) -> None:
    known(qtbot, line)
    session.choose_relation("Relation", Relation.USER)
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    line.refresh()
    assert "needs" not in line.text.text()


def test_nobody_computes_what_nobody_sees(qtbot: QtBot, line: EpsilonLine) -> None:
    line.parentWidget().hide()
    line.refresh()
    qtbot.wait(400)
    assert line.bands is None
    assert not line.job.running


def test_a_noise_scale_is_explained_in_place_of_epsilon(
    qtbot: QtBot, line: EpsilonLine, session: Session
) -> None:
    known(qtbot, line)
    bands: list[object] = []
    line.bands_changed.connect(bands.append)
    line._rest.setInterval(1)
    edit(qtbot, session, threshold=1)
    edit(qtbot, session, statistic="query2", mechanism="laplace", budget=Budget(noise_scale=Decimal(1)))
    line.refresh()
    assert line.text.text() == "Laplace noise in vehicles per day: larger protects more. 0.5 to 2 is usual."
    qtbot.wait(20)
    assert (line.bands, bands[-1:]) == (None, [None]), "the slider shows no bands of an epsilon"


def test_what_was_planned_while_it_was_hidden_is_told_once_it_is_shown(
    qtbot: QtBot, line: EpsilonLine, session: Session
) -> None:
    """As in a narrow window, where the map stands in the place of the page."""
    around = line.parentWidget()
    around.hide()
    edit(qtbot, session, threshold=1)
    qtbot.wait(500)
    assert line.bands is None
    around.show()
    qtbot.waitUntil(lambda: "needs" in line.text.text(), timeout=TIMEOUT)
