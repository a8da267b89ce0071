"""What relation user changes on every screen: candidates alone are listed, counts stay confidential."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.draft.draft import draft_of
from core.hats.cells import cell_text
from core.keys.signing_key import generate_key
from core.privacy import Relation, Unit
from core.release.prepare_publish import PublishedRelease
from core.spec import load_spec
from core.statistics.error_figures import significant
from core.system.paths import find_home
from tests.taxis import CELLS, OUTSIDE, POPULATION, pings, released, write_taxis
from tests.ui.languages import spoken
from tests.ui.taxi_story import WAIT, rest, user_session
from tests.ui.user_actions import open_sections, show, texts
from ui.budget.budget_panel import BudgetPanel
from ui.budget.decision_card import DecisionCard
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of
from ui.map.layers import MapState, layers, paint, shown_cells
from ui.parameters.page import ParametersPage
from ui.session.draft_charge import charged_epsilon, shown_epsilon
from ui.session.guards import plots
from ui.session.guards.reasons import first_reason
from ui.session.session import Session
from ui.session.steps import steps_of
from ui.table.page import TableTab
from ui.web_map.painting import SUPPRESSED_FILL

BOTH = [*pings(), *pings(5, vehicles=3, cells=[OUTSIDE])]
"""Some records lie in no candidate."""


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return user_session(qtbot, tmp_path, BOTH)


def state_of(session: Session, published: PublishedRelease | None = None) -> MapState:
    assert session.overview is not None
    return MapState(
        overview=session.overview,
        forecast=session.forecast,
        release=published.release if published else None,
        slot=9,
        slot_text="09:00",
        slot_end="10:00",
    )


def published_of(tmp_path: Path, edits: Sequence[tuple[str, str]] = ()) -> PublishedRelease:
    key = generate_key(tmp_path / "key", "correct horse")
    ledger = Ledger.open(find_home().ledger)
    return released(write_taxis(tmp_path / "paid", BOTH, edits), ledger, key, tmp_path / "out")


def test_the_map_shows_candidates_and_nobody_beside_them(session: Session) -> None:
    assert session.overview is not None
    assert OUTSIDE in session.overview.hexagons
    assert set(shown_cells(state_of(session))) == set(CELLS)
    (vehicles,) = (one for one in layers() if one.key == "vehicles")
    painting = paint(vehicles, state_of(session))
    assert painting.confidential
    assert set(painting.fills) <= set(CELLS)
    assert painting.fills


def test_layers_that_follow_from_constants_bear_no_badge(session: Session) -> None:
    told = {one.key: paint(one, state_of(session)) for one in layers()}
    assert told["vehicles"].confidential
    assert not told["selected"].confidential
    assert not told["typical-error"].confidential
    assert set(told["selected"].fills) == set(told["typical-error"].fills) == set(CELLS)
    assert "from public constants" in str(next(iter(told["typical-error"].tooltips.values())))


def test_released_rows_say_what_noise_decided(session: Session, tmp_path: Path) -> None:
    published = published_of(tmp_path, [("threshold = 5", "threshold = 30")])
    (mean,) = (one for one in layers() if one.key == "released-mean")
    painting = paint(mean, state_of(session, published))
    assert not painting.confidential
    suppressed = [cell for cell, fill in painting.fills.items() if fill is SUPPRESSED_FILL]
    assert suppressed
    assert "below the threshold" in str(painting.tooltips[suppressed[0]])


def test_the_table_lists_candidates_with_counts_under_lock(
    qtbot: QtBot, session: Session, tmp_path: Path, theme: Theme
) -> None:
    tab = TableTab(session, theme)
    show(qtbot, tab, width=900)
    qtbot.waitUntil(lambda: tab.model.total > 0, timeout=WAIT)
    assert {tab.model.hat_at(row)[0] for row in range(tab.model.shown)} == set(CELLS)
    assert tab.model.total == len(CELLS) * 3
    locked = {column.key for column in tab.model.columns if column.confidential}
    assert locked == {"vehicles", "records"}
    tab.view.selectAll()
    QGuiApplication.clipboard().setText("before")
    tab.copy()
    assert QGuiApplication.clipboard().text() == "before"

    session.release.set_published(published_of(tmp_path))
    qtbot.waitUntil(lambda: tab.model.has_release, timeout=WAIT)
    tab.view.selectAll()
    tab.copy()
    header, *lines = QGuiApplication.clipboard().text().splitlines()
    assert "vehicles_dp" in header.split("\t")
    assert not {"vehicles", "records"} & set(header.split("\t"))
    assert len(lines) == tab.model.total
    assert "noisy_weight" in {column.key for column in tab.model.columns}


def test_counts_of_a_table_row_are_those_of_its_hat(session: Session, qtbot: QtBot, theme: Theme) -> None:
    tab = TableTab(session, theme)
    show(qtbot, tab, width=900)
    qtbot.waitUntil(lambda: tab.model.total > 0, timeout=WAIT)
    overview, rows = session.overview, tab.model._rows
    assert overview is not None
    counted = {
        hat: int(count)
        for hat, count in zip(
            zip(overview.cells, overview.slots.tolist(), strict=True), overview.records.tolist(), strict=True
        )
    }
    for cell, slot, records in zip(rows.cells, rows.slots.tolist(), rows.numbers["records"], strict=True):
        assert records == counted.get((cell, slot), 0)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("ERROR_CURVES", "No error curves for this protection"),
        ("COMPARED_GRIDS", "With “Presence too” no count is public"),
        ("COMPARED_METHODS", "With “Presence too” no count is public"),
        ("SUPPRESSION", "No suppression with “Presence too”"),
    ],
)
def test_nothing_that_follows_from_counts_is_worked_out(session: Session, asked: str, told: str) -> None:
    reason = first_reason(session, getattr(plots, asked))
    assert reason is not None
    assert reason.what == told
    assert session.planning.advice is None


def test_the_verdict_says_in_hindi_of_which_hat_an_error_is(
    qtbot: QtBot, qapp: QApplication, session: Session
) -> None:
    session.edit("Prior", prior=type(session.draft.prior)())
    rest(qtbot, session)
    with spoken(qapp, catalogue_of("hi")):
        card = DecisionCard(session, 0)
        show(qtbot, card, width=300)
        assert "ऐसे षट्भुज-स्लॉट में जहाँ 5 वाहन हों" in texts(card)


def test_a_verdict_by_public_counts_is_not_called_that_of_the_least_hat(
    qtbot: QtBot, session: Session
) -> None:
    session.set_budget("Epsilon", Budget(total=Decimal(100)))
    rest(qtbot, session)
    card = DecisionCard(session, 0)
    show(qtbot, card, width=300)
    assert card.verdict.text() == ("A typical number is off by 2 km/h if hexagon slots are as busy as typed.")
    session.edit("Prior", prior=type(session.draft.prior)())
    rest(qtbot, session)
    card.refresh()
    assert "in a hexagon slot of 5 vehicles" in card.verdict.text()


def test_a_verdict_after_a_release_is_that_of_its_rows(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    """It went on saying "as busy as typed" where a third of the rows had no number."""
    card = DecisionCard(session, 0)
    show(qtbot, card, width=300)
    published = published_of(tmp_path)
    session.edit("Confirmed", confirmed=True, population=POPULATION)
    rest(qtbot, session)
    query = next(one for one in published.release.queries if one.query_id == session.draft.leading.id)
    few = tuple(row if number % 3 else replace(row, estimates=()) for number, row in enumerate(query.rows))
    release = replace(published.release, queries=(replace(query, rows=few),))
    session.release.set_published(replace(published, release=release))
    card.refresh()
    found = [row.first for row in few if row.first is not None]
    width = median(one.high - one.low for one in found) / 1000
    said = f"{len(found)} of {len(few)} numbers were published, half of them with a range of at most "
    assert card.verdict.text().startswith(f"{said}{significant(width, 2)} km/h.")
    assert card.means.isHidden()
    assert "Planned: " in card.foretold.text()
    qtbot.waitUntil(lambda: session.ledger.population is not None, timeout=WAIT)
    assert steps_of(session)[1].note.split(",")[0] == card.word.text
    session.set_budget("Epsilon", Budget(total=Decimal(100)))
    rest(qtbot, session)
    card.refresh()
    assert "as busy as typed" in card.verdict.text(), "that is another release"


def test_what_is_confirmed_shows_no_figure_of_the_data(qtbot: QtBot, session: Session) -> None:
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page, width=340, height=1000)
    assert page.protected.sentence.text().startswith("Whether a vehicle was there at all is ")
    assert "constants" in page.constants.public.text()
    assert not page.protected.units[Unit.VEHICLE_HAT_DAY].isVisible()
    assert not any("visit" in line for line in texts(page).splitlines() if "Protect all of" in line)
    assert "even that it was there" in page.protected.unit_hints[Unit.VEHICLE].text()
    offered = [page.knobs.mechanism.itemData(number) for number in range(page.knobs.mechanism.count())]
    assert offered == ["bounded-mean", "plan-and-enforce"]
    added = {action.data() for action in page.published.add.menu().actions()}
    assert added == {"query1", "query2", "cdf", "share"}


def test_what_is_confirmed_tells_that_gaussian_noise_may_fail(qtbot: QtBot, session: Session) -> None:
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page, width=340, height=1000)
    session.home.create()
    ledger = Ledger.open(session.home.ledger)
    ledger.set_limit("Gaussian taxis", per_vehicle=Decimal(50), delta=Decimal("0.000001"))
    session.edit("Population", population="Gaussian taxis")
    with qtbot.waitSignal(session.forecast_changed, timeout=WAIT):
        session.ledger.read()
    session.edit_query("Noise", number=0, parameters={"noise": "gauss"})
    rest(qtbot, session)
    assert session.forecast is not None
    assert session.forecast.charge is not None
    epsilon = shown_epsilon(charged_epsilon(session, session.forecast.charge, Unit.VEHICLE))
    sentence = page.protected.sentence.text()
    assert f"at epsilon {epsilon} this release" in sentence
    assert sentence.endswith(", but for a chance of 1 in a million.")
    session.edit_query("Noise", number=0, parameters={"noise": "laplace"})
    rest(qtbot, session)
    assert "chance" not in page.protected.sentence.text()
    assert not page.options.budget.per_hat.isVisible()


@pytest.mark.parametrize("statistic", ["query1", "query2", "cdf"])
def test_other_statistics_are_planned_from_constants_too(
    qtbot: QtBot, session: Session, statistic: str
) -> None:
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page, width=340, height=1000)
    action = next(one for one in page.published.add.menu().actions() if one.data() == statistic)
    action.trigger()
    rest(qtbot, session)
    if statistic != "cdf":
        assert session.planning.problem is not None
        assert session.planning.problem.where == "privacy.days_per_vehicle"
        assert page.constants.days.isVisible()
        page.constants.days.setValue(2)
        rest(qtbot, session)
    assert session.planning.problem is None
    assert session.forecast is not None
    assert len(session.forecast.plans) == 2
    assert all(plan.bounded is not None for plan in session.forecast.plans)
    assert page.options.budget.shared.isVisible()


def test_a_window_without_any_record_stops_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    night = [row._replace(time=row.time.replace("2022-01", "2023-01")) for row in pings()]
    session = user_session(qtbot, tmp_path, night)
    assert session.planning.problem is None
    assert session.contributions is not None
    assert session.contributions.hats == 0
    assert session.forecast is not None
    assert len(session.forecast.selection or ()) == len(CELLS) * 3
    reason = first_reason(session, plots.COMPARED_COUNTS)
    assert reason is not None
    assert "No record lies in this window" in reason.what
    for one in layers():
        paint(one, state_of(session))


def test_a_spec_of_the_command_line_opens_in_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    draft, source = draft_of(load_spec(write_taxis(tmp_path / "spec")))
    session.load(source, draft)
    rest(qtbot, session)
    assert session.draft == draft
    assert session.planning.problem is None
    selection = session.forecast.selection if session.forecast else None
    assert selection is not None
    assert {cell_text(cell) for cell in np.unique(selection.cell).tolist()} == set(CELLS)


def test_a_day_that_costs_more_than_the_vehicle_is_explained(
    qtbot: QtBot,
    session: Session,
    theme: Theme,  # noqa: ARG001
) -> None:
    panel = BudgetPanel(session)
    show(qtbot, panel, width=300)
    assert session.forecast is not None
    charge = session.forecast.charge
    assert charge is not None
    assert charge.per_vehicle_day > charge.per_vehicle
    told = "Changing one day can change which hexagon slots of the vehicle count"
    assert told in panel._cost.toolTip()
    session.choose_relation("Relation", Relation.VALUES)
    rest(qtbot, session)
    assert told not in panel._cost.toolTip()
