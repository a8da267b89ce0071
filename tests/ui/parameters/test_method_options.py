"""ui.parameters.method_options: from how many HATs per vehicle Gaussian noise pays."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.mechanisms.registry import all_mechanisms
from core.privacy import Relation
from tests.ui.small_city import TIMEOUT, add_queries, edit, planned_session
from tests.ui.user_actions import lies_on, press, show, texts
from ui.budget.limit_dialog import LimitDialog
from ui.kit.param_form import ParamForm
from ui.parameters.method_options import MethodOptions, NoiseLine
from ui.parameters.query_list import QueryList
from ui.session.session import Session

TEN = Budget(total=Decimal(10))
CURVE = {"statistic": "cdf", "parameters": {"bins": 650, "tree": "binary"}, "budget": TEN}
"""Ten levels of a tree: Gaussian noise is smaller from the first HAT on."""


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    planned = planned_session(qtbot, tmp_path)
    edit(qtbot, planned, **CURVE)
    return planned


def made(qtbot: QtBot, session: Session) -> tuple[NoiseLine, QueryList]:
    chosen = QueryList(session)
    qtbot.addWidget(chosen)
    line = NoiseLine(session, chosen)
    show(qtbot, line, width=340, height=200)
    line.refresh()
    return line, chosen


def test_it_says_from_where_on_and_how_to_allow_it(qtbot: QtBot, session: Session) -> None:
    line, _ = made(qtbot, session)
    told = "where a vehicle visits 1 hexagon slot or more. Here it is about 2: take Gaussian noise."
    assert told in line.reason.text()
    assert "give its limit a delta, for instance 1e-6" in line.reason.text()
    assert "--" not in line.reason.text(), "words of the command line are none of the window's"
    assert line.use.isHidden()  # no population allows it yet


def test_while_the_forecast_is_still_of_another_relation_there_is_no_advice(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In relation user a forecast has none; the draft may be of relation values again before the next."""
    line, _ = made(qtbot, session)
    assert session.forecast is not None
    older = dataclasses.replace(session.forecast, noise_advice=())
    monkeypatch.setattr(Session, "forecast", property(lambda _: older))
    line.refresh()
    assert line.isHidden()


def test_with_a_delta_it_is_taken_with_one_press_and_undone(qtbot: QtBot, session: Session) -> None:
    line, _ = made(qtbot, session)
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit("Buses", per_vehicle=Decimal(50), delta=Decimal("1e-6"))
    session.edit("Population", population="Buses")
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.ledger.read()
    assert line.use.text() == "Use &Gaussian noise"
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, line.use)
    assert session.draft.leading.parameters["noise"] == "gauss"
    assert session.forecast is not None
    assert session.forecast.plans[0].gaussian
    assert line.use.isHidden()
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    assert not line.use.isHidden()
    edit(qtbot, session, statistic="query1", parameters={"noise": "gauss"})
    assert line.use.text() == "Use &Laplace noise"
    assert not line.use.isHidden()


def test_gaussian_noise_without_a_delta_is_said_at_noise_with_what_mends_it(
    qtbot: QtBot, session: Session
) -> None:
    line, _ = made(qtbot, session)
    session.home.create()
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal(50))
    session.edit("Population", population="Buses")
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.ledger.read()
    edit(qtbot, session, parameters={**CURVE["parameters"], "noise": "gauss"})
    assert line.isVisible()
    assert line.reason.text().startswith("! Gaussian noise needs a population with a delta.")
    assert "set-limit" not in line.reason.text()
    assert line.limit.isVisible()
    press(qtbot, line.limit)
    dialog = line.findChild(LimitDialog)
    assert dialog is not None
    assert lies_on(dialog, line)
    dialog.reject()
    assert line.use.text() == "Use &Laplace noise"
    press(qtbot, line.use)
    assert session.draft.leading.parameters["noise"] == "laplace"
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert not line.limit.isVisible()


def test_it_is_the_selected_query_s_and_hidden_where_no_total_is_divided(
    qtbot: QtBot, session: Session
) -> None:
    line, chosen = made(qtbot, session)
    add_queries(qtbot, session, "mean_variance")
    chosen.rows.setCurrentRow(1)
    line.refresh()
    assert line.isHidden()  # a variance is no linear number
    chosen.rows.setCurrentRow(0)
    line.refresh()
    assert not line.isHidden()
    edit(qtbot, session, budget=Budget(per_hat=Decimal(1)))
    assert line.isHidden()
    edit(qtbot, session, budget=TEN, relation=Relation.USER)
    assert line.isHidden()


def test_parameters_go_with_their_method_and_come_back(qtbot: QtBot, session: Session) -> None:
    edit(qtbot, session, statistic="mean", parameters={})
    chosen = QueryList(session)
    qtbot.addWidget(chosen)
    options = MethodOptions(session, chosen)
    show(qtbot, options)
    for key, asks in (("baseline", True), ("worst-case-bounding", False), ("baseline", True)):
        session.set_mechanism("Mechanism", key, {})
        options.refresh()
        method = all_mechanisms()[key]
        assert method.summary in texts(options)
        assert options.source.accessibleName() == "Where it is described"
        assert options.source.explanation == f"Source: {method.reference}"
        qtbot.waitUntil(
            lambda asks=asks: any(map(QWidget.isVisible, options.findChildren(ParamForm))) is asks
        )
    for regions in (False, True):
        session.set_mechanism("Mechanism", "tokens", {"regions": regions})
        options.refresh()
        assert options.form is not None
        (smooth,) = (
            one for one in options.form.findChildren(QWidget) if one.accessibleName() == "Smooth as well"
        )
        assert smooth.isEnabled() is not regions, "of regions it decides nothing"
