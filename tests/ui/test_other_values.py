"""The window with delays in place of speeds: every place says their name and unit."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.bundle.release_result import Release
from core.draft.draft import QueryDraft, draft_of
from core.keys.signing_key import generate_key
from core.portal.released_classes import released_classes
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from core.statistics.registry import require_statistic
from tests.city import PASSPHRASE, POPULATION, write_city
from tests.delays import LOWER, MEAN, OTHERS, UPPER, write_delay_spec
from tests.ui.release_story import WAIT_MS, make_home, make_session
from ui.distributions.cdf_curves import released_curves
from ui.errors.curve_request import curve_request
from ui.kit.message_bar import Message
from ui.map.layers import MapState, layers, paint
from ui.session.error_sources import Source
from ui.session.query_texts import first_measure, new_query, open_statistics, statistic_title
from ui.session.session import Session
from ui.table.model import HatTableModel
from ui.table.rows import hat_rows
from ui.table.sortable_rows import sortable

NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return write_delay_spec(tmp_path / "city", (MEAN + OTHERS).replace('total = "6"', 'total = "300"'))


@pytest.fixture
def session(qtbot: QtBot, spec: Path) -> Session:
    make_home(key=False)
    return make_session(qtbot, spec)


@pytest.fixture
def release(spec: Path, tmp_path: Path) -> Release:
    key = generate_key(tmp_path / "key", PASSPHRASE)
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        ledger.set_limit(POPULATION, per_vehicle=Decimal(10_000))
        return publish(
            prepare(load_spec(spec), ledger), ledger, key=key, out=tmp_path / "out", now=NOW
        ).release


def state_of(session: Session, release: Release | None) -> MapState:
    assert session.overview is not None
    return MapState(
        overview=session.overview, forecast=session.forecast, release=release, slot=9, slot_text="09:00"
    )


def test_queries_speak_of_the_delay(session: Session) -> None:
    quantity = session.quantity
    assert (quantity.name, quantity.unit, quantity.lower) == ("delay", "s", LOWER * 1000)
    titles = [statistic_title(query, quantity) for query in session.draft.queries]
    assert titles[0] == "Mean delay"
    assert not any("speed" in title.lower() for title in titles)
    assert first_measure(session.draft.leading, quantity).unit == "s"
    added = new_query(session.draft, require_statistic("mean").of(quantity), 2_400_000)
    assert added.id == "mean_delay_"
    assert new_query(session.draft, require_statistic("query2").of(quantity), 2_400_000).parameters == {}
    assert [one.key for one in open_statistics(session.draft, quantity)] == ["share"]
    assert [one.quantity for one in open_statistics(session.draft, quantity)] == [quantity]
    assert session.forecast is not None
    assert session.forecast.advice is not None
    assert " s is typical" in session.forecast.advice.reason


def test_the_map_has_classes_of_the_delay(session: Session, release: Release) -> None:
    state = state_of(session, release)
    painted = {layer.key: paint(layer, state) for layer in layers()}
    mean = painted["released-mean"]
    assert (mean.title, mean.unit) == ("Released mean delay", "s")
    numbers = [
        row.first.value / 1000 for row in release.queries[0].rows if row.first and row.first.informative
    ]
    limits = released_classes(numbers, bounds=(-600.0, 1800.0), scale=2, seconds=True).limits
    assert limits
    assert len(mean.classes) == len(limits) + 1
    assert mean.classes[0].label == f"< {limits[0]:,g}"
    assert mean.classes[-1].label == f"≥ {limits[-1]:,g}"
    assert all(" s, 95 % interval " in text for _, text in mean.tooltips.values())
    assert all(isinstance(fill, int) for fill in mean.fills.values())
    for key in ("typical-error", "interval-width"):
        assert painted[key].unit == "s"
        assert painted[key].classes[-1].label == ("No use, ≥ 258.0" if key == "typical-error" else "≥ 4,000")


def test_the_table_and_what_is_copied_have_its_name(session: Session, release: Release) -> None:
    assert session.overview is not None
    assert session.contributions is not None
    grid = session.contributions.window.grid
    rows = hat_rows(
        session.overview, grid, session.forecast, release, planned=True, quantity=session.quantity
    )
    model = HatTableModel()
    model.set_rows(sortable(rows))
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert "Released mean\ns" in heads
    assert not any("km/h" in head for head in heads)
    text, lines = model.copy_text(range(model.rowCount()), session.draft.relation)
    assert (text.splitlines()[0].split("\t")[4], lines) == ("delay_mean_s", 9)
    low, high = rows.numbers["low"], rows.numbers["high"]
    assert low.min() >= LOWER
    assert high.max() <= UPPER
    published = [row.estimates[0].value / 1000 for row in release.queries[0].rows if row.estimates]
    assert sorted(rows.numbers["mean"].tolist()) == pytest.approx(sorted(published))


def test_plots_are_in_its_unit(session: Session, release: Release) -> None:
    request = curve_request(session, Source.LOADED)
    assert not isinstance(request, Message)
    assert request.value_unit == "s"
    replica = curve_request(session, Source.REPLICA)
    assert not isinstance(replica, Message)
    assert replica.value_unit == "km/h"
    row = next(row for query in release.queries for row in query.rows if row.slot_start == "09:00")
    curves = released_curves(release, (row.cell, 9))
    assert (curves.left, curves.edges[0], curves.edges[-1]) == (LOWER, LOWER + 200, UPPER)
    assert " s, half at most" in curves.spoken


def test_other_data_rename_the_query_and_leave_the_limits_open(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    _, speeds = draft_of(load_spec(write_city(tmp_path / "speeds")))
    session.load(speeds)
    qtbot.waitUntil(lambda: session.source is speeds and not session.busy, timeout=WAIT_MS)
    assert session.draft.leading.id == "mean_speed"
    (late,) = (query for query in session.draft.queries if query.statistic == "query2")
    assert "limits" not in late.parameters
    assert session.planning.problem is None


def test_a_limit_that_is_open_is_told_and_then_plans(qtbot: QtBot, session: Session) -> None:
    late = QueryDraft(id="late", statistic="query2", budget=session.draft.leading.budget)
    session.edit("Limits", queries=(session.draft.leading, late))
    qtbot.waitUntil(lambda: session.planning.problem is not None, timeout=WAIT_MS)
    assert "Limits of the delay: the list is empty" in str(session.planning.problem)
    session.edit_query("Limits", number=1, parameters={"limits": (0.0, 300.0)})
    qtbot.waitUntil(lambda: session.planning.problem is None and not session.busy, timeout=WAIT_MS)
    assert session.forecast is not None
    assert len(session.forecast.plans) == 2
