"""ui.parameters.prior_form: public counts are typed or named, and nothing suggests them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QSpinBox
from pytestqt.qtbot import QtBot

from core.prior.public_prior import PublicPrior
from core.prior.public_source import SourceRequest
from core.privacy import Relation, Unit
from core.system.paths import find_home
from tests.builders import make_bundle
from tests.ui.user_actions import pick, show, texts
from ui.kit.tips import in_lines
from ui.parameters.prior_form import PriorForm
from ui.session.session import Session


@pytest.fixture
def session() -> Session:
    made = Session(find_home())
    made.choose_relation("Relation", Relation.USER)
    return made


@pytest.fixture
def form(qtbot: QtBot, session: Session) -> PriorForm:
    made = PriorForm(session)
    session.draft_changed.connect(made.refresh)
    show(qtbot, made, width=300)
    return made


def typed(qtbot: QtBot, box: QSpinBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, text)
    box.clearFocus()


def test_every_number_begins_untyped(form: PriorForm) -> None:
    assert [box.text() for box in form.numbers.values()] == ["not typed"] * 3


def test_typed_numbers_are_one_undo_step_of_the_draft(
    qtbot: QtBot, form: PriorForm, session: Session
) -> None:
    typed(qtbot, form.numbers["fleet"], "60")
    typed(qtbot, form.numbers["vehicles"], "20")
    assert session.draft.prior == PublicPrior(fleet=60, vehicles=20)
    session.undo_stack.undo()
    assert session.draft.prior == PublicPrior()
    assert form.numbers["fleet"].value() == 0


def test_units_have_their_words(form: PriorForm, session: Session) -> None:
    assert "Vehicles in all" in texts(form)
    assert form.kind.accessibleName() == "Where public counts come from"
    session.edit("Unit", unit=Unit.VEHICLE_DAY)
    assert "Vehicle-days in all" in texts(form)


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("typed", {"fleet", "vehicles", "records"}),
        ("zip", {"fleet", "seconds", "place"}),
        ("folder", {"fleet", "seconds", "place"}),
        ("bundle", {"fleet", "records", "key", "place"}),
        ("csv", {"fleet", "place"}),
    ],
)
def test_each_source_asks_for_what_it_does_not_tell(
    qtbot: QtBot, form: PriorForm, kind: str, shown: set[str]
) -> None:
    form.kind.setCurrentIndex(form.kind.findData("typed" if kind != "typed" else "csv"))
    pick(qtbot, form.kind, kind)
    form.kind.activated.emit(form.kind.currentIndex())
    parts = {**form.numbers, "seconds": form.seconds, "key": form.key, "place": form.place}
    assert {name for name, part in parts.items() if part.isVisibleTo(form)} == shown


def test_a_file_takes_the_place_of_typed_vehicles_and_is_let_go_with_its_kind(
    qtbot: QtBot, form: PriorForm, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("h3_cell,slot_start,vehicles,records\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    form.kind.setCurrentIndex(form.kind.findData("csv"))
    form.place.click()
    assert session.draft.prior.source == SourceRequest(path=str(path))
    assert form.place.text() == "counts.csv"
    pick(qtbot, form.kind, "typed")
    form.kind.activated.emit(form.kind.currentIndex())
    assert session.draft.prior.source == SourceRequest()
    session.undo_stack.undo()
    assert form.kind.currentData() == ("csv" if session.draft.prior.source.path else "typed")


def test_a_choice_that_was_dismissed_changes_nothing(
    form: PriorForm, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    form.kind.setCurrentIndex(form.kind.findData("bundle"))
    form.place.click()
    assert session.draft.prior == PublicPrior()


def test_what_is_named_is_known_again_by_what_it_is(
    form: PriorForm, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = tmp_path / "gtfs"
    feed.mkdir()
    for name in ("stops.txt", "stop_times.txt", "trips.txt"):
        (feed / name).write_text("", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "gtfs.zip", "w") as archive:
        for name in ("stops.txt", "stop_times.txt", "trips.txt"):
            archive.writestr(name, "")
    for path, kind in (
        (feed, "folder"),
        (tmp_path / "gtfs.zip", "zip"),
        (make_bundle(tmp_path / "older"), "bundle"),
        (tmp_path / "gone.csv", "csv"),
    ):
        session.edit("Source", prior=PublicPrior(source=SourceRequest(path=str(path))))
        assert form.kind.currentData() == kind
        assert (form.place.text(), form.place.toolTip()) == (path.name, in_lines(str(path)))
    asked: list[str] = []

    def answered(_: object, title: str, at: str, kinds: str) -> tuple[str, str]:
        asked.extend((title, kinds))
        return "", at

    monkeypatch.setattr(QFileDialog, "getOpenFileName", answered)
    for kind, kinds in (("csv", "Tables (*.csv);;All files (*)"), ("zip", "Archives (*.zip);;All files (*)")):
        form.kind.setCurrentIndex(form.kind.findData(kind))
        form.place.click()
        assert asked[-2:] == [form.kind.currentText(), kinds]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(feed))
    form.kind.setCurrentIndex(form.kind.findData("folder"))
    form.place.click()
    assert session.draft.prior.source.path == str(feed)
    session.edit("Source", prior=PublicPrior(fleet=5, vehicles=2))
    assert form.kind.currentData() == "typed"
    assert form.place.text() == "Choose…"
    assert form.numbers["fleet"].text() == "5"


def test_the_pings_of_a_timetable_and_the_key_of_a_release_are_typed(
    qtbot: QtBot, form: PriorForm, session: Session
) -> None:
    form.kind.setCurrentIndex(form.kind.findData("zip"))
    form.kind.activated.emit(form.kind.currentIndex())
    typed(qtbot, form.seconds, "10")
    assert session.draft.prior.source.seconds_per_ping == 10
    assert form.seconds.text() == "10 s"
    form.kind.setCurrentIndex(form.kind.findData("bundle"))
    form.kind.activated.emit(form.kind.currentIndex())
    form.key.setText("RWQ")
    form.key.editingFinished.emit()
    assert session.draft.prior.source.public_key == "RWQ"
