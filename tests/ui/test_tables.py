"""A contribution table in the window, from the file to the release: what holds for records holds for it."""

from __future__ import annotations

import dataclasses
import datetime as dt
import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.contributions.file_look import look_at_table
from core.contributions.file_write import write_contributions, write_partitioned
from core.draft.draft import DataSource, draft_of, save_draft
from core.draft.project_file import PROJECT_SUFFIX
from core.draft.recovery import Recovery
from core.errors import InputError
from core.keys.signing_key import load_key
from core.privacy import Relation, Unit
from core.progress import silent
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from core.spec.table_rules import rules_of_table
from core.system.paths import find_home
from core.verify.verify import verify_bundle
from tests.city import PASSPHRASE, write_city
from tests.ui.release_story import WAIT_MS, make_home, make_page, make_session
from tests.ui.small_city import loaded_session
from tests.ui.table_story import HOURS, RESOLUTION, TABLE, ZONE, first_version, table_session, write_table
from ui.release.release_jobs import publish_release, review_release
from ui.session.guards.parameters import crosses_midnight, values_derived
from ui.session.session import Session
from ui.session.steps import steps_of
from ui.session.table_passphrases import PassphraseRequest
from ui.shell.open_project import OpenProject

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return table_session(qtbot, tmp_path)


def _source(path: Path) -> DataSource:
    """As the page *Data* makes it of a dropped table."""
    offer = look_at_table(path)
    assert offer is not None
    return DataSource(files=(path,), rules=rules_of_table(offer.facts), table=True)


def _at_rest(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT_MS)


def test_a_release_in_the_window_is_that_of_the_command_line(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    page = make_page(qtbot, session, tmp_path / "window")
    wanted = page._wanted()
    reviewed = review_release(wanted, silent)
    done = publish_release(reviewed.prepared, wanted, PASSPHRASE, silent).published
    spec = load_spec(tmp_path / "city" / "spec.toml")
    key = load_key(find_home().default_key, PASSPHRASE)
    with Ledger.open(find_home().ledger) as ledger:
        again = prepare(spec, ledger)
        assert again.fingerprint == reviewed.prepared.fingerprint
        assert again.stored is not None
        assert again.stored.entry == done.entry
        result = publish(again, ledger, key=key, out=tmp_path / "line", now=NOW)
        (population,) = ledger.populations()
    assert result.repeated
    assert result.release.queries == done.release.queries
    assert population.spent == done.release.charge.per_vehicle > 0
    assert verify_bundle(done.bundle, key.public_text).ok
    files = sorted(path.name for path in (done.bundle / "data").iterdir())
    assert files
    for name in files:
        assert (done.bundle / "data" / name).read_bytes() == (result.bundle / "data" / name).read_bytes()


def test_a_table_with_the_mapping_costs_nothing_after_its_records(qtbot: QtBot, tmp_path: Path) -> None:
    make_home()
    write_table(tmp_path / "city")
    spec = write_city(tmp_path / "city")
    with Ledger.open(find_home().ledger) as ledger:
        key = load_key(find_home().default_key, PASSPHRASE)
        publish(prepare(load_spec(spec), ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    session = make_session(qtbot, write_city(tmp_path / "city", edit=(TABLE,)))
    reviewed = review_release(make_page(qtbot, session, tmp_path / "again")._wanted(), silent)
    assert reviewed.prepared.review.repeats_entry is not None


def test_a_spec_is_saved_and_opened_with_its_table(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    assert session.source is not None
    save_draft(session.draft, session.source, tmp_path / "city" / "saved.toml")
    other = Session(find_home())
    project = OpenProject(other)
    with qtbot.waitSignal(project.opened, timeout=WAIT_MS):
        project.open(tmp_path / "city" / "saved.toml")
    _at_rest(qtbot, other)
    assert (other.draft, other.source) == (session.draft, session.source)
    assert other.table is not None
    assert other.loaded is None


def test_a_project_is_saved_recovered_and_opened_with_its_table(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    project = OpenProject(session)
    with qtbot.waitSignal(project.saved, timeout=WAIT_MS):
        project.save(tmp_path / "table")
    retained = project.project
    other = OpenProject(Session(find_home()))
    with qtbot.waitSignal(other.opened, timeout=WAIT_MS):
        other.open(tmp_path / f"table{PROJECT_SUFFIX}")
    _at_rest(qtbot, other._session)
    assert (other._session.draft, other._session.source) == (session.draft, session.source)
    assert not other.modified
    recovery = Recovery(find_home().recovery)
    recovery.keep(retained)
    # as a window that was killed leaves it: nobody holds its lock
    shutil.copyfile(recovery.path, recovery.path.with_name(f"{'0' * 16}{PROJECT_SUFFIX}"))
    recovery.forget()
    third = OpenProject(Session(find_home()))
    with qtbot.waitSignal(third.found_left, timeout=WAIT_MS) as found:
        third.look_for_left()
    with qtbot.waitSignal(third.opened, timeout=WAIT_MS):
        third.recover(found.args[0])
    _at_rest(qtbot, third._session)
    assert third._session.table is not None
    assert third._session.draft == session.draft
    for one in (project, other, third):
        one.close()


def test_a_table_that_was_replaced_by_one_for_other_choices_is_told_by_name(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    project = OpenProject(session)
    before = session.table
    with qtbot.waitSignal(project.saved, timeout=WAIT_MS):
        project.save(tmp_path / "table")
    spec = load_spec(write_city(tmp_path / "other", edit=(("resolution = 7", "resolution = 8"),)))
    write_contributions(
        contributions_for(spec)[0], tmp_path / "city" / "table.parquet", physical=(0, 200_000)
    )
    with qtbot.waitSignal(project.failed, timeout=WAIT_MS) as failed:
        project.open(tmp_path / f"table{PROJECT_SUFFIX}")
    (error,) = failed.args
    assert isinstance(error, InputError)
    assert "another choice" in error.what
    assert error.where == "hats.resolution"
    assert session.table is before
    project.close()


def test_choices_become_those_of_the_table_whatever_was_chosen_before(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path / "records")
    session.edit("Grid", resolution=9, slot_minutes=30, hours=("07:00", "12:00"))
    _at_rest(qtbot, session)
    path = write_table(tmp_path / "city")
    session.load(_source(path))
    _at_rest(qtbot, session)
    draft, table = session.draft, session.table
    assert table is not None
    assert (draft.resolution, draft.slot_minutes, draft.hours) == (RESOLUTION, 60, HOURS)
    assert draft.date_ranges == table.table.window.date_ranges == session.recorded_dates
    assert session.contributions is not None
    assert session.contributions.window == table.table.window
    assert session.planning.problem is None
    assert steps_of(session)[0].note == "624 records"
    session.choose_relation("Relation", Relation.USER)
    assert (session.draft.zone, session.draft.hours) == (ZONE, HOURS)
    assert session.draft.date_ranges == table.table.window.date_ranges
    session.choose_relation("Relation", Relation.VALUES)
    session.edit("Rule", rule="hat", threshold=2)
    _at_rest(qtbot, session)
    assert session.draft.resolution == RESOLUTION
    assert session.planning.problem is None


def test_records_in_place_of_a_table_free_every_choice(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    _, records = draft_of(load_spec(write_city(tmp_path / "city")))
    session.load(records)
    _at_rest(qtbot, session)
    assert session.table is None
    assert session.loaded is not None
    session.edit("Resolution", resolution=8, threshold=1)
    _at_rest(qtbot, session)
    assert session.planning.problem is None
    assert session.contributions is not None
    assert session.contributions.resolution == 8


def test_a_choice_of_another_table_is_refused_beside_the_draft(qtbot: QtBot, session: Session) -> None:
    """No page offers it; whatever asks for it is told as a spec would be."""
    session.edit("Resolution", resolution=9)
    _at_rest(qtbot, session)
    assert session.planning.problem is not None
    assert session.planning.problem.where == "hats.resolution"
    session.undo_stack.undo()
    _at_rest(qtbot, session)
    assert session.planning.problem is None
    assert session.forecast is not None


def test_an_answer_that_the_table_contradicts_changes_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path / "records")
    source = _source(write_table(tmp_path / "city"))
    source = dataclasses.replace(source, derived_in_table=True)
    with qtbot.waitSignal(session.load_failed, timeout=WAIT_MS) as failed:
        session.load(source)  # it says itself that they were measured
    assert "says something else" in failed.args[0].what
    assert session.table is None
    assert session.loaded is not None


def test_derived_speeds_of_an_old_table_are_held_up_in_relation_values(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path / "records")
    source = _source(first_version(write_table(tmp_path / "city")))
    session.load(dataclasses.replace(source, derived_in_table=True))
    _at_rest(qtbot, session)
    assert session.table is not None
    session.choose_relation("Relation", Relation.VALUES)
    reason = values_derived(session)
    assert reason is not None
    assert "derived" in reason.what
    session.choose_relation("Relation", Relation.USER)
    assert values_derived(session) is None
    for unit, held in ((Unit.VEHICLE, False), (Unit.VEHICLE_DAY, True)):
        session.edit("Unit", unit=unit)
        reason = crosses_midnight(session)
        assert (reason is not None) is held
        assert reason is None or "midnight" in reason.what


def test_a_spec_of_an_encrypted_table_asks_and_narrows_its_dates_without_asking_again(
    qtbot: QtBot, tmp_path: Path
) -> None:
    spec = load_spec(write_city(tmp_path / "city"))
    folder = tmp_path / "city" / "table"
    write_partitioned(contributions_for(spec)[0], folder, ("date",), passphrase=PASSPHRASE)
    path = write_city(tmp_path / "city", edit=(('files = ["records.csv"]', 'contributions = "table"'),))
    session, asked = Session(find_home()), []

    def answer(request: PassphraseRequest) -> None:
        asked.append(request)
        request.answer(PASSPHRASE)

    session.table_passphrases.wanted.connect(answer)
    project = OpenProject(session)
    with qtbot.waitSignal(project.opened, timeout=WAIT_MS):
        project.open(path)
    _at_rest(qtbot, session)
    assert session.planning.problem is None
    day = dt.date(2022, 1, 4)
    session.edit("Dates", date_ranges=((day, day),))
    _at_rest(qtbot, session)
    assert session.contributions is not None
    assert session.contributions.window.days == 1
    assert session.planning.problem is None
    assert len(asked) == 1
