"""ui.budget.budget_panel: the plan's charge against the ledger's balance."""

from __future__ import annotations

import dataclasses
import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import at_a_glance, plain
from core.accounting.ledger import Ledger
from core.accounting.privacy_loss import PrivacyLoss
from core.keys.signing_key import load_key
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.spec import load_spec
from core.statistics.registry import require_statistic
from core.system.paths import find_home
from tests.builders import NOW, make_release
from tests.city import PASSPHRASE, POPULATION
from tests.core.accounting.ledger_cases import DAY, charge_of, request_of
from tests.ui.release_story import WAIT_MS, city_session, spent
from tests.ui.small_city import add_queries, edit, planned_session
from tests.ui.user_actions import press, show, texts
from ui.budget.budget_panel import BudgetPanel, LimitButton
from ui.budget.decide_panel import DecidePanel
from ui.budget.limit_dialog import LimitDialog
from ui.kit.theme import Theme
from ui.layout.window_columns import DECIDE_WIDTH
from ui.session.draft_charge import draft_charge, fitted_budgets, shown_epsilon
from ui.session.query_texts import new_query
from ui.session.session import Session
from ui.session.steps import State, steps_of


def made(qtbot: QtBot, session: Session, theme: Theme) -> BudgetPanel:  # noqa: ARG001
    panel = BudgetPanel(session)
    show(qtbot, panel, width=268, height=600)
    return panel


def set_limit(qtbot: QtBot, session: Session, per_vehicle: str, per_day: str | None = None) -> None:
    Ledger.open(session.home.ledger).set_limit(
        POPULATION,
        per_vehicle=Decimal(per_vehicle),
        per_vehicle_day=None if per_day is None else Decimal(per_day),
    )
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()


def test_costs_are_the_plan_s_charge(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    edit(qtbot, session, budget=Budget(per_hat=Decimal("0.4")))
    assert session.forecast is not None
    plan = session.forecast.plan
    assert plan is not None
    assert panel._cost.text() == plain(plan.charge.per_vehicle)
    assert panel._cost.text() not in {"0", "0.4"}
    asked = panel._cost.toolTip()
    assert f"each visit: {plain(plan.charge.per_vehicle_hat_day)}" in asked, "a day and a visit, when asked"
    assert "each visit" not in texts(panel)
    assert "Changing one day can change" not in asked, "it costs no more"


@pytest.mark.parametrize(
    ("missing", "asked"),
    [
        ("relation", "Choose who is protected to see the cost."),
        ("unit", "Choose how much of a vehicle is protected to see the cost."),
    ],
)
def test_without_relation_and_unit_no_cost_is_shown(
    qtbot: QtBot, tmp_path: Path, theme: Theme, missing: str, asked: str
) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    edit(qtbot, session, **{missing: None})
    assert panel._cost.text() == "–"
    assert asked in texts(panel)
    assert "After release" not in texts(panel)


def test_without_a_population_it_says_what_one_is(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    panel = made(qtbot, planned_session(qtbot, tmp_path), theme)
    assert "No population with a limit yet" in texts(panel)
    assert "After release" not in texts(panel)


def test_a_population_that_is_only_named_lacks_a_limit_and_the_panel_says_which(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    """It said that no population is chosen, beside the one that was."""
    session = planned_session(qtbot, tmp_path)
    panel = made(qtbot, session, theme)
    edit(qtbot, session, population=POPULATION, budget=Budget(total=Decimal(6)))
    assert "No population with a limit yet" not in texts(panel)
    assert f"No limit yet for {POPULATION}" in texts(panel)
    assert "Set a limit: without one nothing is released." in texts(panel)
    # two strangers had no idea how large a limit is
    assert "A limit of epsilon 6 pays for this release, 72 for 12 like it." in texts(panel)
    set_limit(qtbot, session, "6")
    assert "After release: charged epsilon 6 of 6; no room for another like it." in texts(panel)
    assert "pays for this release" not in texts(panel)


def test_the_balance_is_the_ledger_s_also_after_a_release(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path)
    panel = made(qtbot, session, theme)
    assert "After release: charged epsilon 6 of 10; no room for another like it." in texts(panel)
    assert panel._verdict.toolTip().startswith("Epsilon 0 of 10 spent per vehicle, 10 left")
    home = find_home()
    with Ledger.open(home.ledger) as ledger:
        prepared = prepare(load_spec(tmp_path / "city" / "spec.toml"), ledger)
        key = load_key(home.default_key, PASSPHRASE)
        published = publish(prepared, ledger, key=key, out=tmp_path / "out", now=NOW)
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    assert "6 of 10 spent per vehicle, 4 left" in texts(panel)
    assert f"exactly {plain(spent())} spent, {plain(10 - spent())} left" == panel._balance.toolTip()
    assert "would refuse" in texts(panel)
    assert panel._verdict.property("look") == "error"
    assert panel.property("look") == "warning"
    assert "Privacy cost per vehicle, epsilon" in texts(panel)
    session.release.set_published(published)
    panel.refresh()
    assert "The same release again costs nothing" in texts(panel)


@pytest.mark.parametrize(("limit", "look"), [("9000", "muted"), ("10", "warning")])
def test_a_year_that_the_limit_does_not_pay_for_is_a_warning(
    qtbot: QtBot, tmp_path: Path, theme: Theme, limit: str, look: str
) -> None:
    session = city_session(qtbot, tmp_path, limit=limit, key=False)
    panel = made(qtbot, session, theme)
    assert session.contributions is not None
    day = session.contributions.window.dates[0]
    edit(qtbot, session, date_ranges=((day, day),))
    assert panel._year.property("look") == look
    assert "A year of such days needs epsilon " in panel._year.text()
    assert panel._year.text().endswith(" The limit is 10.") is (look == "warning")
    if look == "muted":
        assert panel._year.isVisible()
        week = day - dt.timedelta(days=day.weekday())
        edit(qtbot, session, date_ranges=((week, week + dt.timedelta(days=6)),))
        assert panel._year.text() == "A year of such weeks needs epsilon 312."
        edit(qtbot, session, budget=Budget(total=Decimal("0.51")))
        assert "needs epsilon 26.5" in panel._year.text(), "of less than 100 the parts count too"
        edit(qtbot, session, date_ranges=((day, day + dt.timedelta(days=1)),))
        qtbot.waitUntil(lambda: not panel._year.isVisible(), timeout=WAIT_MS)  # two days are no period


def test_a_release_that_was_paid_before_may_cost_nothing_and_the_panel_says_so(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    """The window may have been closed since: a project opened again told the whole cost once more."""
    session = city_session(qtbot, tmp_path)
    panel = made(qtbot, session, theme)
    may = "Repeating the same release is free"
    assert may not in texts(panel)
    home = find_home()
    with Ledger.open(home.ledger) as ledger:
        prepared = prepare(load_spec(tmp_path / "city" / "spec.toml"), ledger)
        key = load_key(home.default_key, PASSPHRASE)
        publish(prepared, ledger, key=key, out=tmp_path / "out", now=NOW)
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    assert "would refuse" in texts(panel)
    assert may in texts(panel)
    assert may not in panel._verdict.text(), "no word of it is a refusal"
    set_limit(qtbot, session, "100")
    assert "After release: charged " in texts(panel)
    assert may in texts(panel)
    edit(qtbot, session, budget=Budget(per_hat=Decimal("0.4")))
    assert may not in texts(panel), "of another cost"


def test_while_another_statistic_is_planned_no_cost_of_fewer_is_told(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    """For seconds it said that the release fits, and how often, by the cost of one of two."""
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    set_limit(qtbot, session, "100")
    one = draft_charge(session)
    assert one is not None
    assert session.source is not None
    added = new_query(session.draft, require_statistic("query1"), session.source.rules.upper_bound)
    session.edit("Add", queries=(*session.draft.queries, added))
    assert panel._cost.text() == "–"
    assert "After release" not in texts(panel)
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT_MS)
    both = draft_charge(session)
    assert both is not None
    assert both.per_vehicle > one.per_vehicle
    assert panel._cost.text() != "–"
    assert "After release" in texts(panel)


def test_what_a_release_cost_is_what_the_ledger_was_charged(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    """Whatever is planned by now; without a population its own order of users is not known yet."""
    session = city_session(qtbot, tmp_path)
    panel = made(qtbot, session, theme)
    planned = draft_charge(session)
    assert planned is not None
    cost = panel._cost
    assert cost.toolTip().startswith(f"exactly {plain(planned.per_vehicle)}")
    edit(qtbot, session, population="")
    told = f"{plain(planned.per_vehicle)} as planned. The ledger's charge may differ slightly"
    assert cost.toolTip().startswith(told)
    edit(qtbot, session, population=POPULATION)
    charged = dataclasses.replace(planned, per_vehicle=Decimal("0.123456"))
    release = make_release(charge=charged)
    session.release.set_published(PublishedRelease(bundle=tmp_path, entry=1, repeated=False, release=release))
    panel.refresh()
    assert (cost.text(), cost.toolTip().split("\n")[0]) == ("0.124", "exactly 0.123456")
    session.set_budget("Epsilon", Budget(total=Decimal(5)))
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT_MS)
    assert "0.123456" not in cost.toolTip()


def test_more_than_is_left_would_be_refused(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, limit="5", key=False)
    panel = made(qtbot, session, theme)
    assert "! The ledger would refuse: epsilon 6 per vehicle is more than is left" in texts(panel)
    edit(qtbot, session, budget=Budget(total=Decimal(5)))
    assert "After release: charged " in texts(panel)


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        ("11.9", "no room for another like it"),
        ("24", "allows 3 more such"),
        ("6000", "allows more than 100 such"),
    ],
)
def test_how_many_more_such_releases_are_allowed(
    qtbot: QtBot, tmp_path: Path, theme: Theme, limit: str, told: str
) -> None:
    session = city_session(qtbot, tmp_path, limit=limit, key=False)
    assert told in texts(made(qtbot, session, theme))


def test_more_than_a_day_allows_would_be_refused(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    set_limit(qtbot, session, "10", "0.5")
    assert "! The ledger would refuse: more than epsilon 0.5 per vehicle and day" in texts(panel)
    set_limit(qtbot, session, "10", "6")
    assert "After release: charged " in texts(panel)


def test_a_linked_population_pays_too(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit("Night buses", per_vehicle=Decimal(1))
    ledger.link(POPULATION, "Night buses")
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    assert "would refuse" in texts(panel)
    assert "Night buses" in texts(panel)


def test_a_limit_of_nothing_is_no_crash(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    set_limit(qtbot, session, "0")
    assert "0 of 0 spent" in texts(panel)
    assert "would refuse" in texts(panel)
    panel.grab()


def test_the_button_opens_the_limit_dialog(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    panel = made(qtbot, planned_session(qtbot, tmp_path), theme)
    press(qtbot, panel.set_limit)
    dialog = panel.findChild(LimitDialog)
    assert dialog.isVisible()
    dialog.reject()
    qtbot.waitUntil(lambda: panel.findChild(LimitDialog) is None)


def test_several_statistics_are_summed_and_listed(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, limit="30", key=False)
    panel = made(qtbot, session, theme)
    assert "Of each vehicle's epsilon" not in texts(panel)
    add_queries(qtbot, session, "query1", "cdf")
    assert session.forecast is not None
    charge, plans = session.forecast.charge, session.forecast.plans
    assert charge is not None
    assert panel._cost.text() == plain(at_a_glance(charge.per_vehicle))
    planned = [f"exactly {plain(plan.charge.per_vehicle)}" for plan in plans]

    def tips() -> list[str]:
        shown = [words.toolTip() for words in panel._shares.findChildren(QLabel) if words.isVisible()]
        return [tip for tip in shown if tip.startswith("exactly")]

    qtbot.waitUntil(lambda: tips() == planned)
    assert panel._cost.toolTip().startswith(f"exactly {plain(charge.per_vehicle)}")
    qtbot.waitUntil(lambda: "Of each vehicle's epsilon" in texts(panel), timeout=WAIT_MS)
    shown = texts(panel).split("\n")
    listed = shown[shown.index("Of each vehicle's epsilon") + 1 :]
    for plan in plans:
        place = listed.index(plan.query.question.statistic.title)
        assert listed[place + 1] == plain(at_a_glance(plan.charge.per_vehicle)), "beside its name"
    assert charge.per_vehicle == sum(plan.charge.per_vehicle for plan in plans)
    assert "After release: charged " in texts(panel)
    gone = require_statistic("cdf").title
    assert gone in texts(panel._shares)
    session.edit("Remove", queries=session.draft.queries[:-1])
    assert gone not in texts(panel._shares), "before the rest is planned anew"
    qtbot.waitUntil(lambda: require_statistic("query1").title in texts(panel._shares), timeout=WAIT_MS)
    session.undo_stack.undo()
    session.undo_stack.undo()
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: "Of each vehicle's epsilon" not in texts(panel), timeout=WAIT_MS)


def test_what_a_release_costs_reads_as_the_sum_of_its_statistics(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    """A total that is not wholly spent reads as it was typed, and so it counts in the sum."""
    session = city_session(qtbot, tmp_path, limit="30", key=False)
    panel = made(qtbot, session, theme)
    add_queries(qtbot, session, "query1")
    leading, other = session.draft.queries
    for amount, more in (("9.9983", "126.8574"), ("9.9983", "12.8574")):
        queries = (
            dataclasses.replace(
                leading, mechanism="baseline", parameters={}, budget=Budget(total=Decimal(amount))
            ),
            dataclasses.replace(other, budget=Budget(total=Decimal(more))),
        )
        edit(qtbot, session, queries=queries)
        assert session.forecast is not None
        parts = [at_a_glance(plan.charge.per_vehicle) for plan in session.forecast.plans]
        charge = session.forecast.charge
        assert charge is not None
        told = plain(sum(parts))
        assert told != plain(at_a_glance(charge.per_vehicle))
        assert panel._cost.text() == told
        assert f"{told} asked of 30" in panel._meter.accessibleName()
        if charge.per_vehicle > 30:
            assert f"{told} per vehicle is more than is left" in texts(panel)


def test_a_population_without_a_limit_says_so(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    Ledger.open(session.home.ledger).mark_evaluated("New buses")
    session.edit("Population", population="New buses")
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    assert "New buses" in texts(panel)
    said = texts(panel).split("\n")
    at = said.index("No limit is set yet, and without a limit nothing is released.")
    assert said[at - 1] == session.draft.population, "of whom"
    assert "would refuse" not in texts(panel)
    assert not panel._meter.isVisible()


def test_linked_populations_show_one_budget(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit("Same buses", per_vehicle=Decimal(8))
    ledger.reserve(request_of("3", population="Same buses", zone="Asia/Kolkata"))
    ledger.link("Same buses", POPULATION)
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    assert "3 of 8 spent per vehicle, 5 left\ntogether with Same buses" in texts(panel)
    assert "6 per vehicle is more than is left" in texts(panel)


def test_gaussian_noise_that_was_spent_is_shown_as_the_epsilon_it_comes_to(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    panel = made(qtbot, session, theme)
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(20), delta=Decimal("1e-6"))
    charge = charge_of({DAY: "0.5"}, rho={DAY: "1"})
    ledger.reserve(request_of(population=POPULATION, charge=charge, zone="Asia/Kolkata"))
    edit(qtbot, session, budget=Budget(per_hat=Decimal("0.4")))
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    assert "8.85 of 20 spent per vehicle, 11.15 left" in panel._balance.text()
    assert "Counted at delta 1e-6, from rho 1 and epsilon 0.5" in panel._balance.text()
    alone = dataclasses.replace(session.ledger.population, loss=PrivacyLoss(rho=Decimal(1)))
    assert panel._of_delta(alone) == "Counted at delta 1e-6, from rho 1", "an epsilon of 0 tells nothing"
    none = dataclasses.replace(session.ledger.population, loss=PrivacyLoss())
    assert panel._of_delta(none) == "Gaussian noise is allowed (delta 1e-6)"
    edit(qtbot, session, mechanism="tokens", parameters={"noise": "gauss"}, budget=Budget(total=Decimal(4)))
    population, more = session.ledger.population, session.forecast.charge if session.forecast else None
    assert population is not None
    assert more is not None
    adds = shown_epsilon(population.spent_with(more) - population.spent)
    assert f"and {adds} asked of 20" in panel._meter.accessibleName(), "less than it costs alone"
    assert panel._cost.text() == "4", "at the delta of its population"
    slowly = "Costs with Gaussian noise add up more slowly than their epsilons."
    assert panel._verdict.text().endswith(f" more such releases. {slowly}")
    set_limit(qtbot, session, "20")
    assert "delta" in panel._verdict.text()


def test_a_refused_release_is_made_to_fit_and_can_be_undone(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    session = city_session(qtbot, tmp_path, limit="5", key=False)
    panel = made(qtbot, session, theme)
    (release,) = (step for step in steps_of(session) if step.key == "release")
    assert (release.state, release.note) == (State.BLOCKED, "costs more than is left")
    assert panel.mends.fit.isVisible()
    assert panel.mends.limit.isVisible()
    assert not panel.set_limit.isVisible()
    with qtbot.waitSignal(session.forecast_changed, timeout=WAIT_MS):
        panel.mends.fit.click()
    assert "After release: charged " in texts(panel)
    assert not panel.mends.isVisible()
    charge = session.forecast.charge
    assert charge is not None
    assert Decimal("4.99") < charge.per_vehicle <= 5
    (release,) = (step for step in steps_of(session) if step.key == "release")
    assert release.state is not State.BLOCKED
    with qtbot.waitSignal(session.forecast_changed, timeout=WAIT_MS):
        session.undo_stack.undo()
    assert panel.mends.fit.isVisible()


def test_what_is_made_to_fit_is_no_total_that_the_ledger_refuses(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    """A plan leaves a little of its total, and the ledger is asked for the total before records are read."""
    session = city_session(qtbot, tmp_path, limit="5", key=False)
    session.edit_query("Method", mechanism="tokens", parameters={}, budget=Budget(total=Decimal(30)))
    qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=WAIT_MS)
    panel = made(qtbot, session, theme)
    panel.mends.fit.click()
    qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=WAIT_MS)
    assert "After release: charged " in texts(panel)
    assert session.draft.leading.budget.total == 5


def test_a_total_of_which_the_plan_leaves_a_little_is_judged_as_the_ledger_judges_it(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    session = city_session(qtbot, tmp_path, limit="5.999995", key=False)
    panel = made(qtbot, session, theme)
    assert session.forecast is not None
    charge = session.forecast.charge
    assert charge is not None
    assert charge.per_vehicle < Decimal("5.999995") < 6
    assert "would refuse: epsilon 6 per vehicle is more than is left" in panel._verdict.text()
    assert panel.mends.fit.isVisible()
    panel.mends.fit.click()
    qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=WAIT_MS)
    assert session.draft.leading.budget.total == Decimal("5.999995")
    assert "After release: charged " in panel._verdict.text()
    Ledger.open(session.home.ledger).set_limit(
        POPULATION, per_vehicle=Decimal("5.999995"), delta=Decimal("1e-6")
    )
    session.edit_query(
        "Noise", mechanism="tokens", parameters={"noise": "laplace"}, budget=Budget(total=Decimal(6))
    )
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=WAIT_MS)
    assert "After release: charged " in panel._verdict.text(), "with a delta the ledger asks for no total"


def test_where_nothing_is_left_only_another_limit_helps(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    ledger = Ledger.open(session.home.ledger)
    ledger.reserve(request_of("10", population=POPULATION, zone="Asia/Kolkata"))
    panel = made(qtbot, session, theme)
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    assert panel.mends.isVisible()
    assert not panel.mends.fit.isVisible()
    assert fitted_budgets(session) is None


def test_gaussian_noise_is_made_to_fit_as_well(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    delta = Decimal("1e-6")
    Ledger.open(session.home.ledger).set_limit(POPULATION, per_vehicle=Decimal(10), delta=delta)
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    panel = made(qtbot, session, theme)
    session.edit_query(
        "Noise", mechanism="tokens", parameters={"noise": "gauss"}, budget=Budget(total=Decimal(30))
    )
    qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=WAIT_MS)
    assert panel.mends.fit.isVisible()
    panel.mends.fit.click()
    qtbot.waitUntil(lambda: not session.busy and session.forecast is not None, timeout=WAIT_MS)
    assert not panel.mends.isVisible()
    assert session.ledger.population is not None
    charge = session.forecast.charge
    assert charge is not None
    assert charge.rho
    assert Decimal("9.9") < session.ledger.population.spent_with(charge) <= 10


def test_why_more_gaussian_releases_fit_than_a_division_says_is_said(
    qtbot: QtBot, tmp_path: Path, theme: Theme
) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    Ledger.open(session.home.ledger).set_limit(POPULATION, per_vehicle=Decimal(50), delta=Decimal("1e-6"))
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    panel, slower = made(qtbot, session, theme), "Costs with Gaussian noise add up more slowly"
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    assert "allows 4 more such releases." in panel._verdict.text()
    assert slower not in panel._verdict.text()
    assert panel._meter.more == 4
    edit(qtbot, session, parameters={"noise": "gauss"})
    assert panel._verdict.text().partition(" more such releases. ")[2].startswith(slower)
    assert panel._meter.more == 0, "equal steps would show room for fewer"


def test_its_cards_begin_where_those_of_the_statistics_do(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:  # noqa: ARG001
    panel = DecidePanel(city_session(qtbot, tmp_path, key=False))
    show(qtbot, panel, width=DECIDE_WIDTH, height=1200)
    lines = {panel.cards[0].word, panel.cards[0].range, panel.budget._cost_title}
    assert len({line.mapTo(panel, QPoint(0, 0)).x() for line in lines}) == 1


def test_a_click_asks_for_the_limits(qtbot: QtBot, session: Session) -> None:
    button = LimitButton(session)
    qtbot.addWidget(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    asked = button.findChild(LimitDialog)
    assert asked is not None
    assert asked.isVisible()
    asked.reject()


def test_it_says_whether_there_is_a_limit_already(qtbot: QtBot, session: Session) -> None:
    button = LimitButton(session)
    qtbot.addWidget(button)
    assert button.text() == "Set &a limit…", "from the start"
    session.edit("Population", population="City trams")
    assert button.text() == "Set &a limit…"
    Ledger.open(session.home.ledger).set_limit("City trams", per_vehicle=Decimal(50))
    session.ledger.read()
    qtbot.waitUntil(lambda: button.text() == "Ch&ange the limit…")
    session.edit("Population", population="")
    assert button.text() == "Set &a limit…"
