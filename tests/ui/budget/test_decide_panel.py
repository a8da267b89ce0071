"""ui.budget.decide_panel: a card a statistic with its verdict and cost, and two sets side by side."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
import threading
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.accounting.ledger import Ledger
from core.advice import verdict
from core.advice.expected_interval import usual_reach
from core.draft.draft import Draft, QueryDraft
from core.errors import InputError
from core.planning.query_plan import QueryPlan, query_errors
from core.prior.public_prior import PublicPrior
from core.privacy import Relation, Unit
from core.release.prepare_publish import PublishedRelease
from core.statistics.error_figures import significant
from tests.builders import make_release
from tests.ui.contrasts import contrast, row_of
from tests.ui.held_plans import HeldPlans
from tests.ui.languages import spoken
from tests.ui.small_city import TIMEOUT, add_queries, edit, planned_session
from tests.ui.taxi_story import rest, taxi_session, type_constants, user_session
from tests.ui.user_actions import are_faint, press, show, write
from ui.budget.comparison_card import changed_parts
from ui.budget.decide_panel import DecidePanel
from ui.budget.verdict_text import verdict_text
from ui.kit.glossary import term_tip
from ui.kit.theme import Theme
from ui.kit.tips import in_lines
from ui.language.translation import catalogue_of
from ui.layout.scroll_areas import scrolling
from ui.layout.window_columns import DECIDE_WIDTH
from ui.session.draft_charge import unrounded_epsilon
from ui.session.query_texts import shown_plans
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return planned_session(qtbot, tmp_path)


@pytest.fixture
def panel(qtbot: QtBot, session: Session, theme: Theme) -> DecidePanel:  # noqa: ARG001
    made = DecidePanel(session)
    show(qtbot, made, width=DECIDE_WIDTH, height=1200)
    return made


def plan_of(session: Session) -> QueryPlan:
    assert session.forecast is not None
    assert session.forecast.plan is not None
    return session.forecast.plan


def test_it_scrolls_where_it_is_too_low_and_only_there(qtbot: QtBot, session: Session, theme: Theme) -> None:  # noqa: ARG001
    panel = DecidePanel(session)
    area = scrolling(panel)
    needed = panel.heightForWidth(DECIDE_WIDTH)
    show(qtbot, area, width=DECIDE_WIDTH, height=needed)
    qtbot.waitUntil(lambda: panel.height() == needed)
    assert area.verticalScrollBar().maximum() == 0
    area.resize(DECIDE_WIDTH, needed // 2)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() >= needed // 2)


def test_nothing_is_scrolled_to_below_the_last_card(qtbot: QtBot, session: Session, theme: Theme) -> None:  # noqa: ARG001
    panel = DecidePanel(session)
    area = scrolling(panel)
    needed = panel.heightForWidth(DECIDE_WIDTH)
    show(qtbot, area, width=DECIDE_WIDTH, height=needed)
    qtbot.waitUntil(lambda: panel.height() == needed)
    assert panel.budget.geometry().bottom() + 1 == needed


def test_beside_a_scroll_bar_no_card_is_cut_off_at_the_right(
    qtbot: QtBot,
    session: Session,
    theme: Theme,  # noqa: ARG001
) -> None:
    """The unit of a count, "vehicles per day", pushed every card below the bar."""
    add_queries(qtbot, session, "query1", "query2")
    area = scrolling(DecidePanel(session))
    show(qtbot, area, width=DECIDE_WIDTH, height=300)
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()


def test_a_card_says_what_the_numbers_are_good_for_and_what_they_cost(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    edit(qtbot, session, budget=Budget(total=Decimal(60)))
    plan, (card,) = plan_of(session), panel.cards
    median, reach = query_errors(plan.plans).typical.median, usual_reach(plan)
    assert reach is not None
    off = f"A typical number is off by {significant(median, 2)} km/h"
    assert card.verdict.text() == f"{off}, 19 in 20 times by less than {significant(reach, 2)}."
    assert (card.means.text(), card.range.text()) == ("A published 25 means", "22 to 28 km/h")
    assert card.rows.text() == "4 hexagon slots of 6 with records get a number."
    assert card.title.isHidden(), "of one statistic everybody knows which"
    assert card.cost.text() == f"Costs epsilon {plain(plan.charge.per_vehicle)} per vehicle."


def test_before_the_population_is_known_figures_are_told_to_be_of_a_plan(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    """Its key orders vehicles with equally many records: the review may read 5.07 where 5.06 stood."""
    (card,) = panel.cards
    term = in_lines(term_tip("Typical error"))
    told = " ".join(card.verdict.toolTip().split())
    assert "These figures may shift slightly once a population with a limit is chosen" in told
    assert card.verdict.toolTip().startswith(term)
    assert "The ledger's charge may differ slightly" in " ".join(card.cost.toolTip().split())
    session.home.create()
    Ledger.open(session.home.ledger).set_limit("Buses", per_vehicle=Decimal(50))
    session.edit("Population", population="Buses")
    session.ledger.read()
    qtbot.waitUntil(lambda: session.planning.is_planned_as_charged and not session.busy, timeout=TIMEOUT)
    assert "These figures may shift" not in " ".join(card.verdict.toolTip().split())
    assert card.cost.toolTip() == f"exactly {plain(plan_of(session).charge.per_vehicle)}"
    example = f"{card.means.text()} {card.range.text()}"
    assert verdict_text(plan_of(session)) == f"{card.word.text}. {example}. {card.verdict.text()}"


def test_numbers_that_tell_nothing_are_told_so_by_an_example(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    edit(qtbot, session, budget=Budget(total=Decimal("0.01")))
    (card,) = panel.cards
    assert card.word.text == "No use"
    assert f"{card.means.text()} {card.range.text()}" == "A published 25 may mean anything, 0 to 65 km/h"
    assert card.strip.isVisible()
    assert card.bands.isVisible()
    assert "25 is an example near" in card.verdict.toolTip()
    assert card.property("look") == "warning"


def test_an_example_by_constants_alone_says_of_which_hexagon_slot(qtbot: QtBot, tmp_path: Path) -> None:
    taxis = taxi_session(qtbot, tmp_path)
    type_constants(qtbot, taxis, tmp_path, prior=PublicPrior())
    taxis.set_budget("Epsilon", Budget(total=Decimal("0.1")))
    rest(qtbot, taxis)
    told = verdict_text(plan_of(taxis))
    assert told.startswith("No use. A typical number is off by ")
    assert " in a hexagon slot of 5 vehicles. " in told


def test_what_stops_a_plan_is_told_in_a_whole_sentence(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:  # noqa: ARG001
    taxis = taxi_session(qtbot, tmp_path)
    taxis.choose_relation("Relation", Relation.USER)
    taxis.edit("Unit", unit=Unit.VEHICLE)
    rest(qtbot, taxis)
    panel = DecidePanel(taxis)
    show(qtbot, panel, width=DECIDE_WIDTH, height=1200)
    assert panel.cards[0].verdict.text() == "The time zone is not typed yet."


def test_curves_are_told_in_percentage_points_and_judged_by_their_band(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    add_queries(qtbot, session, "cdf")
    card = panel.cards[1]
    before = "In half of the hexagon slots the band of the distribution will be of no use: it reaches "
    assert card.verdict.text().startswith(before)
    assert card.property("look") == "warning"
    assert card.strip.isHidden()
    assert card.bands.isHidden()
    enough = dataclasses.replace(session.draft.queries[1], budget=Budget(total=Decimal(900)))
    edit(qtbot, session, queries=(session.draft.queries[0], enough))
    plan = list(shown_plans(session).values())[1]
    median = 100 * query_errors(plan.plans).typical.median
    assert card.word.text == "Good"
    assert card.verdict.text().startswith("A typical number is off by ")
    assert card.error.unit.text() == "points"
    assert card.error.number.text() == significant(median, 2)
    assert f"off by {card.error.number.text()} percentage points" in card.verdict.text()


def test_a_band_of_no_use_that_is_released_is_no_longer_told_of_as_to_come(
    qtbot: QtBot, panel: DecidePanel, session: Session, tmp_path: Path
) -> None:
    add_queries(qtbot, session, "cdf")
    reach = panel.cards[1].verdict.text().partition("it reaches ")[2].split()[0]
    session.release.set_published(
        PublishedRelease(bundle=tmp_path, entry=1, repeated=False, release=make_release())
    )
    assert panel.cards[1].verdict.text() == (
        "In half of the hexagon slots the released band of the distribution is of no use: it was "
        f"planned to reach {reach} percentage points to either side; next time choose fewer bins, fewer "
        "hexagon slots or a larger epsilon."
    )


def test_in_relation_user_a_typed_error_brings_total_and_constant_in_one_step(
    qtbot: QtBot,
    tmp_path: Path,
    theme: Theme,  # noqa: ARG001
) -> None:
    taxis = user_session(qtbot, tmp_path)
    panel = DecidePanel(taxis)
    show(qtbot, panel, width=DECIDE_WIDTH, height=900)
    before, step = taxis.draft, taxis.undo_stack.index()
    wanted = verdict.verdict_of(plan_of(taxis)).error / 4
    write(qtbot, panel.cards[0].error.number, f"{wanted:.3f}")
    qtbot.waitUntil(lambda: taxis.draft != before and not taxis.busy, timeout=TIMEOUT)
    assert taxis.undo_stack.index() == step + 1
    assert taxis.draft.leading.budget.amount > before.leading.budget.amount
    assert verdict.verdict_of(plan_of(taxis)).error <= wanted
    taxis.undo_stack.undo()
    assert taxis.draft == before


def test_a_typed_error_is_reached_as_the_plan_is_expected_to_reach_it(
    qtbot: QtBot,
    tmp_path: Path,
    theme: Theme,  # noqa: ARG001
) -> None:
    """Of 80 vehicles in each hexagon slot and an unknown fleet; the total was that of 10 vehicles."""
    taxis = taxi_session(qtbot, tmp_path)
    type_constants(qtbot, taxis, tmp_path, prior=PublicPrior(vehicles=80))
    panel = DecidePanel(taxis)
    show(qtbot, panel, width=DECIDE_WIDTH, height=900)
    before, wanted = taxis.draft, round(verdict.verdict_of(plan_of(taxis)).error / 2, 3)
    write(qtbot, panel.cards[0].error.number, str(wanted))
    qtbot.waitUntil(lambda: taxis.draft != before and not taxis.busy, timeout=TIMEOUT)
    assert 0.8 * wanted < verdict.verdict_of(plan_of(taxis)).error <= wanted


def test_a_band_that_constants_tell_is_said_to_be_of_such_a_hexagon_slot(
    qtbot: QtBot, tmp_path: Path
) -> None:
    taxis = taxi_session(qtbot, tmp_path)
    type_constants(qtbot, taxis, tmp_path, prior=PublicPrior())
    add_queries(qtbot, taxis, "cdf")
    told = verdict_text(list(shown_plans(taxis).values())[1])
    assert told.startswith(
        "No use. As far as constants show in a hexagon slot of 5 vehicles, the band of the distribution "
    )


def test_an_error_that_cannot_be_is_refused_beside_its_field(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    (card,) = panel.cards
    write(qtbot, card.error.number, "two")
    assert card.message.isVisible()
    assert card.message.text.startswith("This error cannot be reached.")
    write(qtbot, card.error.number, "3")
    qtbot.waitUntil(lambda: not card.message.isVisible() and not session.busy, timeout=TIMEOUT)


def test_tab_comes_from_the_pin_to_the_errors_before_whatever_was_made_earlier(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    """Cards come with the data: their fields stood behind the map and each class of its legend."""
    earlier = QPushButton("of the map", panel)
    earlier.show()
    add_queries(qtbot, session, "query1")
    fields = [card.error.number for card in panel.cards]
    qtbot.waitUntil(lambda: all(field.isVisible() for field in fields), timeout=TIMEOUT)
    panel.activateWindow()
    panel.pin.setFocus()
    for field in fields:
        focused = QApplication.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        assert field.hasFocus()


def test_every_statistic_has_its_card_and_its_own_error(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    changes = QLabel("What would better it")
    panel.take(changes)
    add_queries(qtbot, session, "query1")
    assert all(card.title.isVisible() for card in panel.cards), "of several it is said which"
    first, second = panel.cards
    shown = [first, changes, first.typed, second, second.typed, panel.budget]
    qtbot.waitUntil(lambda: all(one.isVisible() and one.height() > 9 for one in shown))
    assert sorted(shown, key=lambda one: one.mapTo(panel, QPoint(0, 0)).y()) == shown
    assert [card.title.text() for card in panel.cards] == [
        "Mean speed",
        "Mean speed of vehicles and days (Query 1)",
    ]
    qtbot.waitUntil(lambda: bool(panel.cards[1].error.number.text()), timeout=TIMEOUT)
    wanted = 1.2 * float(panel.cards[1].error.number.text())
    write(qtbot, panel.cards[1].error.number, f"{wanted:.2f}")
    qtbot.waitUntil(lambda: session.undo_stack.undoText().startswith("Epsilon by error"), timeout=TIMEOUT)
    leading, other = (query.budget.total for query in session.draft.queries)
    assert leading == Decimal(10)
    assert other is not None
    assert other < 10
    session.edit("Remove", queries=session.draft.queries[:1])
    assert len(panel.cards) == 1
    assert not second.isVisible()
    assert not second.typed.isVisible()
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


def test_before_relation_and_unit_are_chosen_nothing_is_promised(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    edit(qtbot, session, unit=None)
    (card,) = panel.cards
    assert "Errors and cost appear" in card.verdict.text()
    assert not card.error.isVisible()
    assert not card.strip.isVisible()
    assert not card.bands.isVisible()
    assert not panel.pin.isEnabled()


def pinned(qtbot: QtBot, panel: DecidePanel, session: Session) -> QueryPlan:
    """A is what stood there; B has a fifth of the budget and all three places."""
    qtbot.waitUntil(panel.pin.isEnabled, timeout=TIMEOUT)
    press(qtbot, panel.pin)
    before = plan_of(session)
    edit(qtbot, session, budget=Budget(total=Decimal(2)), threshold=1)
    return before


def test_two_sets_stand_side_by_side(qtbot: QtBot, panel: DecidePanel, session: Session) -> None:
    assert panel.comparison.isHidden()
    first = pinned(qtbot, panel, session)
    second = plan_of(session)
    rows = {name: figures for name, *figures in panel.comparison.rows}
    medians = [f"{query_errors(plan.plans).typical.median:.2f}" for plan in (first, second)]
    assert rows["Typical error, km/h"] == medians
    assert rows["Numbers published"] == [str(len(plan.published)) for plan in (first, second)]
    assert rows["Cost per vehicle, epsilon"] == [plain(plan.charge.per_vehicle) for plan in (first, second)]
    exact = [f"exactly {unrounded_epsilon(plan.charge.per_vehicle)}" for plan in (first, second)]

    def tips() -> list[str]:
        shown = [words.toolTip() for words in panel.comparison.findChildren(QLabel) if words.isVisible()]
        return [tip for tip in shown if tip.startswith("exactly")]

    qtbot.waitUntil(lambda: tips() == exact)
    grid = panel.comparison._grid
    wraps = [grid.itemAtPosition(2, column).widget().wordWrap() for column in range(3)]
    assert wraps == [True, False, False], "a figure stays in one line"
    told = panel.comparison.changed.text()
    assert told == "What differs in B: threshold; budget."
    buttons = {one.text(): one.toolTip() for one in panel.comparison.findChildren(QPushButton)}
    assert buttons["&Back to A"] == "Return to the pinned parameters; undo brings B back."
    assert buttons["Unpin"] == "Go on with B alone."
    with qtbot.waitSignal(panel.comparison.map_wanted):
        press(qtbot, panel.comparison.on_map)


def test_a_choice_that_is_taken_back_takes_the_verdict_with_it(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    qtbot.waitUntil(panel.pin.isEnabled, timeout=TIMEOUT)
    (card,) = panel.cards
    assert card.word.isVisible()
    session.edit("Unit", unit=None)
    assert not card.word.isVisible()
    assert not card.typed.isVisible()
    assert "Errors and cost appear" in card.verdict.text()
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


def test_b_is_pinned_as_a_and_what_was_a_is_gone(qtbot: QtBot, panel: DecidePanel, session: Session) -> None:
    assert panel.pin.text() == "Pi&n as A"
    pinned(qtbot, panel, session)
    other = session.draft
    assert panel.pin.text() == "Pi&n B as A"
    qtbot.waitUntil(panel.pin.isEnabled, timeout=TIMEOUT)
    press(qtbot, panel.pin)
    (_, before, now) = next(row for row in panel.comparison.rows if row[0] == "Cost per vehicle, epsilon")
    assert before == now == "2"
    assert panel.comparison.changed.text() == "Change any parameter: A stays, B shows the change."
    heads = [panel.comparison._grid.itemAtPosition(0, column).widget() for column in range(3)]
    assert [head.text() for head in heads] == ["A is pinned, B is now", "A", "B"]
    assert not panel.comparison.back.isEnabled()
    edit(qtbot, session, budget=Budget(total=Decimal(1)))
    qtbot.waitUntil(panel.comparison.back.isEnabled, timeout=TIMEOUT)
    press(qtbot, panel.comparison.back)
    assert session.draft == other
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    press(qtbot, panel.comparison.let_go)
    assert panel.pin.text() == "Pi&n as A"


def test_without_a_difference_on_the_map_its_button_says_why(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    on_map = panel.comparison.on_map

    def reason() -> str:
        assert not on_map.isEnabled()
        assert " ".join(on_map.toolTip().split()) == on_map.accessibleDescription()
        return on_map.accessibleDescription()

    qtbot.waitUntil(panel.pin.isEnabled, timeout=TIMEOUT)
    press(qtbot, panel.pin)
    assert reason() == "B is still the same as A."
    edit(qtbot, session, slot_minutes=120)
    assert reason() == "A and B use different timeslots and cannot be compared slot by slot."
    edit(qtbot, session, slot_minutes=60)
    add_queries(qtbot, session, "query1")
    assert on_map.isEnabled()
    assert not on_map.toolTip()
    assert not on_map.accessibleDescription()
    edit(qtbot, session, queries=session.draft.queries[::-1])
    assert reason() == "A and B start with different statistics, so their errors cannot be compared."
    edit(qtbot, session, unit=None)
    assert reason() == "The errors of B are not known yet."


def test_in_hindi_what_differs_ends_without_a_gap(
    qtbot: QtBot, panel: DecidePanel, session: Session, qapp: QApplication
) -> None:
    """Only behind a figure a danda stands apart."""
    pinned(qtbot, panel, session)
    with spoken(qapp, catalogue_of("hi")):
        panel.comparison.refresh()
        assert QLabel.text(panel.comparison.changed).endswith("; बजट।")


def test_in_hindi_the_word_of_a_verdict_ends_as_sentences_there_do(
    session: Session, qapp: QApplication
) -> None:
    with spoken(qapp, catalogue_of("hi")):
        assert re.match(r"(अच्छा|मोटा-मोटी|बेकार)। ", verdict_text(plan_of(session)))


def test_a_is_taken_again_as_one_undo_step_and_let_go(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    before = session.draft
    pinned(qtbot, panel, session)
    other, steps = session.draft, session.undo_stack.index()
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        press(qtbot, panel.comparison.back)
    assert session.draft == before
    assert session.undo_stack.index() == steps + 1
    session.undo_stack.undo()
    assert session.draft == other
    press(qtbot, panel.comparison.let_go)
    assert session.pins.pinned is None
    assert panel.comparison.isHidden()


def test_a_pinned_set_is_not_seen_in_another_relation_nor_over_other_data(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    pinned(qtbot, panel, session)
    session.choose_relation("Relation", Relation.USER)
    assert session.pins.pinned is None
    assert panel.comparison.isHidden()
    session.undo_stack.undo()
    assert session.pins.pinned is not None
    assert session.source is not None
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(session.source)
    assert session.pins.pinned is None
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (Draft(), []),
        (Draft(queries=(QueryDraft(budget=Budget(total=Decimal(2))),)), ["budget"]),
        (Draft(queries=(QueryDraft(mechanism="levy"),)), ["method"]),
        (Draft(queries=(QueryDraft(parameters={"noise": "gauss"}),)), ["method"]),
        (
            Draft(queries=(QueryDraft(mechanism="levy", budget=Budget(total=Decimal(2))),), threshold=7),
            ["threshold", "budget", "method"],
        ),
        (Draft(queries=(QueryDraft(), QueryDraft(id="bins", statistic="cdf"))), ["statistics"]),
        (Draft(date_ranges=((dt.date(2022, 1, 3), dt.date(2022, 1, 4)),)), ["dates"]),
        (Draft(zone="Asia/Kolkata", hats_per_vehicle=7), ["time zone", "hexagon slots per vehicle"]),
        (Draft(days_per_vehicle=2, prior=PublicPrior(fleet=60)), ["days per vehicle", "known beforehand"]),
        (Draft(mixed=(7, 8)), ["resolution"]),
        (Draft(resolution=6, slot_minutes=30), ["resolution", "timeslot"]),
        (Draft(hours=("07:00", "09:00"), cells_file="a.txt"), ["hours", "selection"]),
        (Draft(rule="listed", minimum_vehicles=5), ["selection", "minimum vehicles"]),
        (Draft(unit=Unit.VEHICLE, population="Trams"), ["unit", "population"]),
    ],
)
def test_what_differs_is_told_by_its_name(after: Draft, told: list[str]) -> None:
    assert changed_parts(Draft(), after) == told


def test_what_is_not_planned_cannot_be_pinned(qtbot: QtBot, session: Session) -> None:
    edit(qtbot, session, threshold=50)
    session.pins.pin()
    assert session.pins.pinned is None


def test_figures_of_a_plan_are_worked_out_by_a_worker(
    qtbot: QtBot, panel: DecidePanel, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are told in several places: of 100,000 hexagon slots the window's thread took 30 ms for each."""
    workers: list[bool] = []

    def noting(plan: QueryPlan) -> float | None:
        workers.append(threading.current_thread() is not threading.main_thread())
        return usual_reach(plan)

    monkeypatch.setattr(verdict, "usual_reach", noting)
    before = panel.cards[0].verdict.text()
    edit(qtbot, session, budget=Budget(total=Decimal(3)))
    assert panel.cards[0].verdict.text() != before
    assert workers
    assert all(workers)


def _seen(panel: DecidePanel) -> list[QColor]:
    """A line across the verdict's word, as the panel shows it."""
    word = panel.cards[0].word
    at = word.mapTo(panel, QPoint(0, 14))
    return row_of(panel, at.y())[at.x() : at.x() + word.width()]


@pytest.mark.parametrize("how", ["epsilon", "undo"])
def test_figures_of_before_are_called_so_while_a_plan_takes_long(
    qtbot: QtBot, panel: DecidePanel, session: Session, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """With many records they stood there for seconds as if they were of the new epsilon."""
    edit(qtbot, session, budget=Budget(total=Decimal(40)))
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)
    assert not panel.updating.isVisible()
    held, before = HeldPlans(monkeypatch), panel.cards[0].verdict.text()
    places = panel.pin.geometry(), panel.cards[0].pos()
    row = _seen(panel)
    full = max(contrast(QColor("white"), one) for one in row)
    assert len({one.name() for one in row[:24]}) > 3, "the edge of the sign is smooth"
    if how == "undo":
        session.undo_stack.undo()
    else:
        session.set_budget("Epsilon", Budget(total=Decimal(3)))
    assert not panel.updating.isVisible(), "a quick plan flickers nowhere"
    qtbot.waitUntil(panel.updating.isVisible, timeout=TIMEOUT)
    assert panel.cards[0].verdict.text() == before
    assert max(contrast(QColor("white"), one) for one in _seen(panel)) < full / 2
    assert (panel.pin.geometry(), panel.cards[0].pos()) == places
    held.may_end.set()
    qtbot.waitUntil(lambda: panel.cards[0].verdict.text() != before, timeout=TIMEOUT)
    assert not panel.updating.isVisible()


def test_figures_are_as_ever_once_the_draft_is_again_what_was_planned(
    qtbot: QtBot, panel: DecidePanel, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldPlans(monkeypatch)
    session.set_budget("Epsilon", Budget(total=Decimal(3)))
    qtbot.waitUntil(panel.updating.isVisible, timeout=TIMEOUT)
    session.undo_stack.undo()
    assert not panel.updating.isVisible()
    held.may_end.set()


def test_a_typed_error_stays_as_it_was_typed_while_its_plan_is_made_and_after(
    qtbot: QtBot, panel: DecidePanel, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It jumped back to the error of before, and then to that of the plan."""
    held, card = HeldPlans(monkeypatch), panel.cards[0]
    before = session.draft.leading.budget
    write(qtbot, card.error.number, "3.17")
    qtbot.waitUntil(lambda: session.draft.leading.budget != before, timeout=TIMEOUT)
    assert card.error.number.text() == "3.17"
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        held.may_end.set()
    assert card.error.number.text() == "3.17"
    edit(qtbot, session, threshold=1)
    assert card.error.number.text() != "3.17", "of another draft nothing was asked"


def test_all_figures_of_before_are_at_half_ink_until_those_of_now_are_there(
    qtbot: QtBot, panel: DecidePanel, session: Session
) -> None:
    """Another resolution left them in full ink beside the new grid, all but the verdict's word."""
    panel.ink._soon.setInterval(0)
    faint: list[tuple[bool, ...]] = []
    before = session.forecast

    def seen(_: bool) -> None:
        parts = (panel.cards[0], panel.cards[0].typed, panel.budget)
        faint.append((*are_faint(*parts), session.forecast in (None, before)))

    panel.ink.changed.connect(seen)
    session.edit("Resolution", resolution=session.draft.resolution + 1)
    qtbot.waitUntil(lambda: len(faint) == 2 and not session.busy, timeout=10_000)
    assert faint == [(True,) * 4, (False,) * 4], "nor before the new ones are planned"


@pytest.mark.parametrize("error", [None, InputError("too many hexagons to smooth")])
def test_figures_are_at_half_ink_and_called_so_until_they_are_smoothed(
    qtbot: QtBot,
    panel: DecidePanel,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception | None,
) -> None:
    """The plan stood there as final, off by 24 km/h, for the five seconds until it was off by 3."""
    held, card = HeldPlans(monkeypatch, "with_smoothing", error), panel.cards[0]
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(10)))
    raw = card.verdict.text(), card.error.number.text()
    qtbot.waitUntil(panel.updating.isVisible, timeout=TIMEOUT)
    assert raw == (card.verdict.text(), card.error.number.text())
    assert are_faint(card, card.typed, panel.budget) == (True,) * 3
    held.may_end.set()
    qtbot.waitUntil(lambda: not panel.updating.isVisible(), timeout=TIMEOUT)
    assert are_faint(card, card.typed, panel.budget) == (False,) * 3
    assert (raw == (card.verdict.text(), card.error.number.text())) is (error is not None)


def test_of_several_the_least_exact_statistic_comes_first(
    qtbot: QtBot, session: Session, panel: DecidePanel
) -> None:
    """No use stood below the fold, under a verdict that said good."""
    add_queries(qtbot, session, "query1")
    typed = QApplication.focusWidget()
    if typed is not None:
        typed.clearFocus()  # no card moves while a person types into one
    few, many = Budget(total=Decimal("0.1")), Budget(total=Decimal(500))
    for first, second, order in ((many, few, [1, 0]), (few, many, [0, 1])):
        session.set_budget("Epsilon", first)
        session.set_budget("Epsilon", second, number=1)
        qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
        qtbot.waitUntil(
            lambda order=order: (
                [card.number for card in sorted(panel.cards, key=lambda one: one.y())] == order
            ),
            timeout=TIMEOUT,
        )
        top, low = (panel.cards[number] for number in order)
        stop: QWidget = top.error.number
        while (stop := stop.nextInFocusChain()) is not low.error.number:
            assert stop is not top.error.number, "Tab goes down the cards"
