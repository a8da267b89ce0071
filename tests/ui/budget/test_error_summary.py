"""ui.budget.error_summary: the plan's figures, with unit and relation beside every epsilon."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import at_a_glance, plain
from core.advice.verdict import verdict_of
from core.planning.query_plan import query_errors
from core.privacy import Unit
from core.release.prepare_publish import PublishedRelease
from core.system.paths import find_home
from tests.builders import make_release
from tests.ui.small_city import TIMEOUT, add_queries, edit, loaded_session, planned_session
from tests.ui.user_actions import show, texts
from ui.budget.error_summary import ErrorSummary
from ui.language.translation import sentence
from ui.session.session import Session


def made(qtbot: QtBot, session: Session) -> ErrorSummary:
    summary = ErrorSummary(session)
    show(qtbot, summary, height=120)
    return summary


def test_figures_are_the_plan_s(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    summary = made(qtbot, session)
    for epsilon in (Decimal(2), Decimal("0.75")):
        edit(qtbot, session, budget=Budget(per_hat=epsilon))
        assert session.forecast is not None
        plan = session.forecast.plan
        assert plan is not None
        errors = query_errors(plan.plans)
        shown = texts(summary)
        typical, worst = errors.typical, errors.at_worst
        told = f"{typical.median:.2f} km/h in half of the numbers, {typical.largest:.2f} in the least exact"
        assert f"Typical error: {told}" in shown
        at_worst = f"{worst.median:.2f} km/h, {worst.largest:.2f} in the least exact"
        alike = at_worst == told.replace(" in half of the numbers", "")
        assert f"At worst: {'the same' if alike else at_worst}" in shown
        by_hat = f"Epsilon {plain(epsilon)} per hexagon slot"
        assert f"{by_hat}, {plain(plan.charge.per_vehicle)} per vehicle" in shown
        assert "unit vehicle, relation values" in shown


def test_an_error_at_worst_that_is_the_typical_one_is_told_in_a_word(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="baseline", parameters={}, budget=Budget(per_hat=Decimal(2)))
    shown = texts(made(qtbot, session)).split("\n")
    assert "At worst: the same" in shown
    assert [line for line in shown if line.startswith("At worst")] == ["At worst: the same"]


def test_no_forecast_says_that_the_raw_numbers_are_better(qtbot: QtBot, tmp_path: Path) -> None:
    """Smoothing halved the true error in four of four releases where a forecast said so."""
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(60)))
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    assert session.forecast is not None
    (plan,) = session.forecast.plans
    median = query_errors(plan.plans).typical.median
    worse = dataclasses.replace(plan, smoothed_errors=(2 * median,) * len(plan.published))
    session.planning.forecast = dataclasses.replace(session.forecast, plans=(worse,))
    between = f"(between {2 * median / 1.5:.2f} and {3 * median:.2f})"
    smoothed = (
        f"about {2 * median:.2f} km/h in half of the numbers {between}, {2 * median:.2f} in the least exact"
    )
    assert f"After smoothing: {smoothed}" in texts(made(qtbot, session)).split("\n")


def test_what_tells_no_more_than_a_constant_is_amber(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    summary = made(qtbot, session)
    looks = []
    for epsilon in ("0.01", "50"):
        edit(qtbot, session, budget=Budget(per_hat=Decimal(epsilon)))
        assert session.forecast is not None
        blind = query_errors(session.forecast.plans[0].plans).typical.median >= 7.0
        said = "One number for the whole city" in texts(summary)
        looks.append((blind, summary._error.property("look"), said))
    assert looks == [(True, "warning", True), (False, "heading", False)]


@pytest.mark.parametrize(
    ("missing", "asked"), [("relation", "who is protected"), ("unit", "how much of a vehicle is protected")]
)
def test_nothing_is_shown_without_relation_and_unit(
    qtbot: QtBot, tmp_path: Path, missing: str, asked: str
) -> None:
    session = planned_session(qtbot, tmp_path)
    summary = made(qtbot, session)
    edit(qtbot, session, **{missing: None})
    assert f"once you have chosen {asked}" in texts(summary)
    assert "None" not in texts(summary)


def test_a_plan_that_cannot_be_is_told_in_three_parts(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    summary = made(qtbot, session)
    edit(qtbot, session, budget=Budget(total=Decimal("0.000001")), unit=Unit.VEHICLE)
    problem = session.planning.problem
    assert problem is not None
    assert texts(summary).split("\n") == [problem.what, "Total", sentence(problem.mend)]


def test_before_data_it_says_what_will_come(qtbot: QtBot, tmp_path: Path) -> None:
    assert "appear once" in texts(made(qtbot, Session(find_home())))
    assert "appear once" not in texts(made(qtbot, loaded_session(qtbot, tmp_path)))  # its threshold is told


def test_of_several_statistics_all_errors_are_told_and_the_sum(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(50)))
    summary = made(qtbot, session)
    one = ErrorSummary(session, selected=lambda: "query2")
    show(qtbot, one, height=120)
    add_queries(qtbot, session, "query2", "cdf")
    for shown_at in (summary, one):
        qtbot.waitUntil(lambda place=shown_at: "each vehicle" in texts(place), timeout=TIMEOUT)
    assert session.forecast is not None
    for plan in session.forecast.plans:
        title = plan.query.question.statistic.title
        _, _, own = texts(summary).partition(f"{title}:\n")
        first, *others = own.split("\n")
        assert first.startswith("Typical error: ")
        assert any(line.startswith("At worst: ") for line in others[:2])
        if verdict_of(plan).useless:
            told = "! In half of the hexagon slots the band of the distribution will be of no use"
            assert others[0].startswith(told)
    assert "unit vehicle, relation values" in texts(summary)
    together = session.forecast.charge
    assert together is not None
    for unit in Unit:
        assert plain(together.of(unit)) in texts(summary).split("\n")
    own = session.forecast.plans[1]
    assert "vehicles per day" in texts(one)
    assert f"Epsilon {plain(at_a_glance(own.plans[0].epsilon))} per hexagon slot" in texts(one)
    shown = texts(one).split("\n")
    for unit in Unit:
        assert {plain(own.charge.of(unit)), plain(together.of(unit))} <= set(shown)


def test_after_a_release_the_sum_is_what_the_ledger_was_charged(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(50)))
    summary = made(qtbot, session)
    add_queries(qtbot, session, "query2", "cdf")
    qtbot.waitUntil(lambda: "each visit" in texts(summary), timeout=TIMEOUT)
    assert session.forecast is not None
    assert session.forecast.charge is not None
    charged = dataclasses.replace(session.forecast.charge, per_vehicle_hat_day=Decimal("0.123456"))
    release = make_release(charge=charged)
    session.release.set_published(PublishedRelease(bundle=tmp_path, entry=1, repeated=False, release=release))
    qtbot.waitUntil(lambda: "0.124" in texts(summary).split("\n"), timeout=TIMEOUT)
    assert "! In half of the hexagon slots the released band of the distribution is of no use" in texts(
        summary
    )


def test_of_several_statistics_only_those_that_tell_nothing_are_amber(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(50)))
    add_queries(qtbot, session, "query1")
    edit(
        qtbot,
        session,
        queries=(
            session.draft.queries[0],
            dataclasses.replace(session.draft.queries[1], budget=Budget(per_hat=Decimal("0.01"))),
        ),
    )
    summary = made(qtbot, session)
    qtbot.waitUntil(lambda: "One number for the whole city" in texts(summary), timeout=TIMEOUT)
    amber = "\n".join(one.text() for one in summary.findChildren(QLabel) if one.property("look") == "warning")
    assert "One number for the whole city" in amber
    assert session.forecast is not None
    fine, blind = (plan.query.question.statistic.title for plan in session.forecast.plans)
    assert blind in amber
    assert f"{fine}:" not in amber
