"""In relation user no default follows from the records: planted data change none of them (method 12.1)."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.clean.mapping import EVENTS, REGULAR, Box
from core.draft.draft import DataSource, Draft, document
from core.privacy import Relation, Unit
from tests.taxis import OUTSIDE, Ping, pings, write_taxis
from tests.ui.taxi_story import rest, taxi_session, type_constants, user_session
from tests.ui.user_actions import show
from ui.data.ingest_report import ReportCard
from ui.parameters.constants_box import ConstantsBox
from ui.parameters.page import ParametersPage
from ui.session.steps import steps_of

PLANTED = {
    "usual": pings(),
    "one vehicle": pings(3, vehicles=1),
    "another place, year and zone": [
        row._replace(time=row.time.replace("2022-01", "2019-07").replace("+05:30", "+09:00"))
        for row in pings(4, vehicles=90, cells=[OUTSIDE])
    ],
    "night": [row._replace(time=row.time.replace("T09", "T02")) for row in pings()],
}


@pytest.fixture(params=list(PLANTED))
def planted(request: pytest.FixtureRequest) -> list[Ping]:
    return PLANTED[request.param]


def test_every_default_is_that_of_an_empty_draft(qtbot: QtBot, tmp_path: Path, planted: list[Ping]) -> None:
    session = taxi_session(qtbot, tmp_path, planted)
    session.choose_relation("Relation", Relation.USER)
    rest(qtbot, session)
    assert session.draft == dataclasses.replace(Draft().in_relation(Relation.USER), unit=None)


def test_who_comes_back_finds_what_was_typed_and_nothing_of_the_records(
    qtbot: QtBot, tmp_path: Path, planted: list[Ping]
) -> None:
    session = taxi_session(qtbot, tmp_path, planted)
    for relation in (Relation.USER, Relation.VALUES, Relation.USER):
        session.choose_relation("Relation", relation)
        rest(qtbot, session)
    assert session.draft == dataclasses.replace(Draft().in_relation(Relation.USER), unit=None)
    session.edit("Threshold", threshold=6)
    for relation in (Relation.VALUES, Relation.USER):
        session.choose_relation("Relation", relation)
        rest(qtbot, session)
    assert session.draft.threshold == 6


@pytest.mark.parametrize("name", ["usual", "another place, year and zone"])
def test_no_editor_is_prefilled(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    """The draft that they show is that of an empty one whatever the records are, as is said above."""
    session = taxi_session(qtbot, tmp_path, PLANTED[name])
    page, box = ParametersPage(session), ConstantsBox(session)
    session.draft_changed.connect(box.refresh)
    for widget in (page, box):
        show(qtbot, widget, width=340)
    session.choose_relation("Relation", Relation.USER)
    rest(qtbot, session)
    typed = (
        page.dates.zone.edit,
        page.dates.typed_first.edit,
        page.dates.typed_last.edit,
        *page.hexagons.candidates.edges,
    )
    assert [field.text() for field in typed] == [""] * 7
    assert page.hexagons.candidates.typed.text() == ""
    assert page.hexagons.threshold.value() == Draft().threshold
    assert (page.dates.start.currentText(), page.dates.end.currentText()) == Draft().hours
    assert box.hats.text() == "not typed"
    assert {number.text() for number in box.prior.numbers.values()} == {"not typed"}


def test_other_data_leave_what_is_typed_as_it_is(qtbot: QtBot, tmp_path: Path, planted: list[Ping]) -> None:
    session = user_session(qtbot, tmp_path)
    before = session.draft
    other = taxi_session(qtbot, tmp_path / "other", planted)
    assert other.source is not None
    with qtbot.waitSignal(session.data_changed, timeout=20_000):
        session.load(other.source)
    rest(qtbot, session)
    assert session.draft == dataclasses.replace(before, confirmed=False, population="")


def test_what_is_planned_and_told_is_the_same_whatever_the_records_are(qtbot: QtBot, tmp_path: Path) -> None:
    told = []
    for name, rows in PLANTED.items():
        session = user_session(qtbot, tmp_path / name, rows)
        type_constants(qtbot, session, tmp_path / name)
        shown = session.forecast
        assert shown is not None
        assert shown.problem is None
        steps = [(step.key, step.state, step.note) for step in steps_of(session) if step.key != "data"]
        if session.contributions is not None and session.contributions.zone != session.draft.zone:
            steps[0] = told[0][2][0]  # that records lie in another zone has to be said
        told.append(([plan.hats for plan in shown.plans], shown.charge, steps))
    assert all(one == told[0] for one in told)


def test_one_step_takes_the_relation_back_with_all_that_hangs_on_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = taxi_session(qtbot, tmp_path)
    session.edit("Unit", unit=Unit.VEHICLE, threshold=7)
    rest(qtbot, session)
    before = session.draft
    session.choose_relation("Relation", Relation.USER)
    rest(qtbot, session)
    session.undo_stack.undo()
    rest(qtbot, session)
    assert session.draft == before
    assert session.planning.problem is None


def test_values_again_have_the_dates_with_records(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    session.choose_relation("Relation", Relation.VALUES)
    rest(qtbot, session)
    assert session.draft.date_ranges == session.recorded_dates
    assert session.draft.zone == ""
    assert session.forecast is not None
    assert not session.forecast.protects_presence


def test_a_stopped_count_puts_no_dates_of_the_records_into_the_draft(qtbot: QtBot, tmp_path: Path) -> None:
    session = taxi_session(qtbot, tmp_path)
    session.choose_relation("Relation", Relation.USER)
    session._on_indexing_stopped()
    assert session.draft.date_ranges == ()
    rest(qtbot, session)


def proposed(source: DataSource) -> DataSource:
    """As it was taken over from the records: a box round them, a decimal mark, an order of dates."""
    rules = source.rules
    told = dataclasses.replace(rules.format, decimal=".,", date_order="dmy")
    box = Box(south=21.0, west=72.0, north=22.0, east=73.0)
    mapping = dataclasses.replace(rules.mapping, box=box)
    rules = dataclasses.replace(rules, format=told, mapping=mapping, pings=EVENTS)
    return dataclasses.replace(source, rules=rules, proposed=True)


def test_choosing_user_reads_the_records_without_what_they_proposed(qtbot: QtBot, tmp_path: Path) -> None:
    session = taxi_session(qtbot, tmp_path, [*pings(), *pings(9, vehicles=3, cells=[OUTSIDE])])
    plain = session.source
    assert plain is not None
    session.load(proposed(plain))
    rest(qtbot, session)
    within = len(session.loaded.records) if session.loaded else 0
    session.edit("Threshold", threshold=7)
    session.choose_relation("Relation", Relation.USER)
    rest(qtbot, session)
    assert session.source == plain
    assert not session.reading_differs
    assert session.loaded is not None
    assert len(session.loaded.records) > within
    assert document(session.draft, proposed(plain), tmp_path) == document(session.draft, plain, tmp_path)
    session.undo_stack.undo()
    rest(qtbot, session)
    assert session.source == proposed(plain)
    assert session.draft.threshold == 7
    assert session.loaded is not None
    assert len(session.loaded.records) == within


def test_what_a_person_typed_stays(qtbot: QtBot, tmp_path: Path) -> None:
    session = taxi_session(qtbot, tmp_path)
    assert session.source is not None
    typed = dataclasses.replace(proposed(session.source), proposed=False)
    session.load(typed)
    rest(qtbot, session)
    session.choose_relation("Relation", Relation.USER)
    rest(qtbot, session)
    assert session.source == dataclasses.replace(
        typed, rules=dataclasses.replace(typed.rules, pings=session.source.rules.pings)
    )
    assert session.source.rules.pings == REGULAR


NOTHING = {
    "no row": [],
    "no usable row": [row._replace(speed=-1.0) for row in pings()],
}


@pytest.mark.parametrize("rows", NOTHING.values(), ids=list(NOTHING))
def test_files_without_a_usable_record_are_loaded_as_nothing(
    qtbot: QtBot, tmp_path: Path, rows: list[Ping]
) -> None:
    """Nobody may learn from a refusal whether one vehicle was there (method 12.1)."""
    session = user_session(qtbot, tmp_path)
    before = session.draft
    source = session.source
    assert source is not None
    assert session.forecast is not None
    charge = session.forecast.charge
    failures: list[object] = []
    session.failed.connect(failures.append)
    write_taxis(tmp_path / "city", rows)
    for draft in (before, dataclasses.replace(Draft(), relation=Relation.USER), None):
        with qtbot.waitSignal(session.data_changed, timeout=20_000):
            session.load(source, draft)
        rest(qtbot, session)
        assert session.loaded is not None
        assert len(session.loaded.records) == 0
        assert session.recorded_dates == ()
        if draft is before:
            assert session.forecast is not None
            assert session.forecast.charge == charge
            assert session.planning.problem is None
    assert failures == []
    card = ReportCard(session.loaded.report, source)
    qtbot.addWidget(card)
    assert "0.0000" not in " ".join(label.text() for label in card.findChildren(QLabel))
    session.choose_relation("Relation", Relation.VALUES)
    rest(qtbot, session)
    assert session.planning.problem is not None
