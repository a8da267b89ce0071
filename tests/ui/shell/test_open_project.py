"""ui.shell.open_project: a spec of the command line is opened and saved like a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.draft.project_file import PROJECT_SUFFIX, read_project
from core.errors import HexveilError
from core.release.prepare_publish import prepare
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import write_city
from tests.records import assert_same
from tests.ui.release_story import WAIT_MS, city_session, make_home, make_page
from ui.release.release_jobs import review_release
from ui.session.session import Session
from ui.shell.open_project import OpenProject


def failure(qtbot: QtBot, project: OpenProject, path: Path, *, saves: bool = False) -> HexveilError:
    with qtbot.waitSignal(project.failed, timeout=WAIT_MS) as told:
        (project.save if saves else project.open)(path)
    (error,) = told.args
    assert isinstance(error, HexveilError)
    return error


def test_the_saved_spec_gives_the_command_line_the_same(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    session.edit("Title", title="Saved by the window")
    project, path = OpenProject(session), tmp_path / "elsewhere" / "mine.toml"
    path.parent.mkdir()
    with qtbot.waitSignal(project.saved, timeout=WAIT_MS):
        project.save(path)
    assert project.path is None, "a spec holds a release alone"
    told = prepare(load_spec(path), Ledger.open(find_home().ledger))
    assert told.review.title == "Saved by the window"
    page = make_page(qtbot, session, tmp_path / "out")
    shown = review_release(page._wanted(), lambda *_: None).prepared
    assert_same(told.contributions, shown.contributions)
    assert told.review.charge == shown.review.charge
    assert told.fingerprint == shown.fingerprint
    assert session.forecast is not None
    assert told.review.charge == session.forecast.charge
    assert shown.plans[0] is session.forecast.plan  # and nothing is planned twice


def test_a_spec_that_cannot_be_saved_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    project = OpenProject(city_session(qtbot, tmp_path))
    assert "cannot be written" in failure(qtbot, project, tmp_path / "no" / "a.toml", saves=True).what
    empty = OpenProject(Session(find_home()))
    assert "nothing to save" in failure(qtbot, empty, tmp_path / "a.toml", saves=True).what


def test_a_spec_is_opened_with_its_data_and_counts_as_saved(qtbot: QtBot, tmp_path: Path) -> None:
    make_home()
    session = Session(find_home())
    project = OpenProject(session)
    with qtbot.waitSignal(project.opened, timeout=WAIT_MS) as told:
        project.open(write_city(tmp_path / "city"))
    assert told.args[0].page == "release"
    assert session.draft.title == "Speeds of a made-up city"
    assert (project.path, project.modified) == (None, False)
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT_MS)


def test_a_cell_list_beside_the_spec_is_found(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    assert session.overview is not None
    cells = sorted(set(session.overview.cells))[:2]
    edits = (
        ('files = ["records.csv"]', 'files = ["../city/records.csv"]'),
        ('rule = "hat"\nthreshold = 2', 'rule = "cells"\nfile = "cells.txt"'),
    )
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "cells.txt").write_text("\n".join(cells))
    (tmp_path / "specs" / "records.csv").write_text("")
    spec, project = write_city(tmp_path / "specs", edit=edits), OpenProject(session)
    with qtbot.waitSignal(project.opened, timeout=WAIT_MS):
        project.open(spec)
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT_MS)
    assert session.forecast is not None
    assert session.forecast.problem is None
    page = make_page(qtbot, session, tmp_path / "out")
    assert review_release(page._wanted(), lambda *_: None).prepared.review.hexagons == 2


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (('unit = "vehicle"', 'unit = "lorry"'), "spec.toml: privacy.unit"),
        (
            ('population = "', 'populations = "'),
            "spec.toml: privacy.population: population is missing.",
        ),
        (('files = ["records.csv"]', 'files = ["gone-*.csv"]'), "No file matches"),
        (('vehicle = "vehicle"', 'vehicle = "plate"'), "plate"),
    ],
)
def test_a_spec_that_does_not_fit_changes_nothing(
    qtbot: QtBot, tmp_path: Path, edit: tuple[str, str], told: str
) -> None:
    session = city_session(qtbot, tmp_path)
    before = (session.draft, session.source)
    error = failure(qtbot, OpenProject(session), write_city(tmp_path / "broken", edit=(edit,)))
    assert told in str(error)
    assert (session.draft, session.source) == before


def test_all_that_is_wrong_in_a_spec_is_said_with_its_file(qtbot: QtBot, tmp_path: Path) -> None:
    edits = (('unit = "vehicle"', 'unit = "lorry"'), ('rule = "hat"', 'rule = "luck"'))
    project = OpenProject(city_session(qtbot, tmp_path))
    told = str(failure(qtbot, project, write_city(tmp_path / "broken", edit=edits)))
    assert "spec.toml: privacy.unit" in told
    assert "spec.toml: selection.rule" in told


def test_a_window_that_ends_leaves_only_what_was_edited_and_nobody_was_asked_about(
    session: Session,
) -> None:
    for title, asked, expected in (("", False, []), ("Asked about", True, []), ("Typed", False, ["Typed"])):
        project = OpenProject(session)
        project.begin_anew()
        if title:
            session.edit(title, title=title)
        project.close(asked=asked)
        left = map(read_project, session.home.recovery.glob(f"*{PROJECT_SUFFIX}"))
        assert [one.draft.title for one in left] == expected
