"""A project in the window: its name and mark, the question on closing, recent ones, and a kill."""

from __future__ import annotations

import dataclasses
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QMenu
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.draft.draft import DataSource, Draft
from core.draft.project_file import PROJECT_SUFFIX, Project, read_project, save_project
from core.draft.recovery import Recovery
from core.errors import InputError
from core.privacy import Relation, Unit
from core.system.paths import Home
from tests.ui.small_city import TIMEOUT
from tests.ui.user_actions import press
from tests.ui.whole_window import places_of, settle, whole_window
from ui.session.session import Session
from ui.shell.main_window import MainWindow
from ui.shell.menus_and_shortcuts import _fill_recent
from ui.shell.workspace import Workspace

WAIT = 30_000
CHILD = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from core.privacy import Relation, Unit
from core.system.paths import Home
from core.draft.project_file import read_project
from ui.shell.open_project import OpenProject
from ui.session.session import Session
app = QCoreApplication([])
session = Session(Home(Path(sys.argv[1])))
project = OpenProject(session, lambda: "parameters")
opened = read_project(Path(sys.argv[2]))
def chosen():
    session.edit("Title", title="Typed before the kill", threshold=2)
def told():
    if project._recovery.path.exists():  # its own: the other window may keep something too
        print("kept", flush=True)
session.contributions_changed.connect(chosen)
session.load(opened.source, opened.draft)
poll = QTimer()
poll.timeout.connect(told)
poll.start(20)
QTimer.singleShot(30_000, app.quit)  # or a test that waits for a word would wait for ever
app.exec()
"""


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with whole_window(qapp, tmp_path_factory.mktemp("projects")) as made:
        yield made


@pytest.fixture(scope="module")
def at_first(window: MainWindow) -> tuple[DataSource, Draft]:
    assert window.workspace is not None
    assert window.workspace.session.source is not None
    return window.workspace.session.source, window.workspace.session.draft


@pytest.fixture
def workspace(window: MainWindow, at_first: tuple[DataSource, Draft]) -> Workspace:
    """With the city and the choices of the start, and of no project, whatever earlier tests left open."""
    assert window.workspace is not None
    session = window.workspace.session
    session.apply(at_first[1])
    if session.source != at_first[0]:
        session.load(*at_first)
    settle(window)
    window.workspace.project.begin_anew()
    return window.workspace


@pytest.fixture
def session(workspace: Workspace) -> Session:
    return workspace.session


def _save(qtbot: QtBot, workspace: Workspace, path: Path) -> None:
    with qtbot.waitSignal(workspace.project.saved, timeout=TIMEOUT):
        workspace.project.save(path)


def _buttons(workspace: Workspace) -> dict[str, QAbstractButton]:
    assert workspace.questions.question is not None
    return {button.text().replace("&", ""): button for button in workspace.questions.question.buttons()}


def test_the_title_tells_name_and_mark(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    assert window.windowTitle().startswith("Untitled")
    session.edit("Title", title="The first")
    assert window.isWindowModified()
    _save(qtbot, workspace, tmp_path / "city")
    assert window.windowTitle() == "city[*] – Hexveil"
    assert not window.isWindowModified()
    session.edit("Title", title="Another")
    assert window.isWindowModified()
    session.undo_stack.undo()
    assert not window.isWindowModified()
    assert read_project(tmp_path / f"city{PROJECT_SUFFIX}").draft == session.draft


def test_a_project_is_opened_with_its_records_and_its_page(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    workspace.steps.choose("parameters")
    session.set_budget("Epsilon", Budget(total=Decimal("7.25")))
    settle(window)
    before = session.draft
    path = tmp_path / f"budget{PROJECT_SUFFIX}"
    workspace.compare.open_bundles([tmp_path / "speed-1.0.0"])
    _save(qtbot, workspace, path)
    assert read_project(path).compared == workspace.compare.paths == (tmp_path / "speed-1.0.0",)
    session.set_budget("Epsilon", Budget(total=Decimal(3)))
    workspace.steps.choose("data")
    workspace.open_dropped([path])
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Open without saving"])
    settle(window)
    assert session.draft == before
    assert workspace.project.path == path
    assert workspace._current_page() == "parameters"
    assert not window.isWindowModified()


def test_what_cannot_be_opened_leaves_everything_as_it_is(
    qtbot: QtBot, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    before = (session.draft, session.source, workspace.project.path)
    torn = tmp_path / f"torn{PROJECT_SUFFIX}"
    torn.write_text("format = 7")
    with qtbot.waitSignal(workspace.project.failed, timeout=TIMEOUT):
        workspace.open_dropped([torn])
    assert (session.draft, session.source, workspace.project.path) == before


def test_recent_projects_records_and_bundles_are_offered(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, tmp_path: Path
) -> None:
    _save(qtbot, workspace, tmp_path / "recent")
    (tmp_path / "bundle").touch()
    window.settings.add_recent_path("bundle", tmp_path / "bundle")
    window.settings.add_recent([tmp_path / "gone.csv"])
    menu = QMenu(window)
    _fill_recent(menu, window, workspace)
    offered = {action.text(): action for action in menu.actions() if action.text()}
    assert {"Projects", "Records", "Bundles"} <= offered.keys()
    assert offered[f"recent{PROJECT_SUFFIX}"].isEnabled()
    assert not offered["gone.csv"].isEnabled()


def test_closing_asks_and_saving_comes_first(
    qtbot: QtBot,
    window: MainWindow,
    workspace: Workspace,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / f"closing{PROJECT_SUFFIX}"
    _save(qtbot, workspace, path)
    session.edit("Title", title="Unsaved")
    left: list[str] = []
    monkeypatch.setattr(window, "leave", lambda: left.append("left"))
    window.close()
    assert window.isVisible()
    assert workspace.questions.question is not None
    assert "closing" in workspace.questions.question.text()
    window.close()  # asked once
    press(qtbot, _buttons(workspace)["Cancel"])
    qtbot.waitUntil(lambda: workspace.questions.question is None, timeout=TIMEOUT)
    assert window.isVisible()
    assert left == []
    window.close()
    press(qtbot, _buttons(workspace)["Save"])
    qtbot.waitUntil(lambda: left == ["left"], timeout=TIMEOUT)
    assert read_project(path).draft.title == "Unsaved"
    session.edit("Title", title="Not wanted")
    workspace.questions._after_saving = None
    window.close()
    monkeypatch.setattr(window, "leave", lambda: left.append("without"))
    workspace.questions.question = None
    window.close()
    press(qtbot, _buttons(workspace)["Close without saving"])
    assert left == ["left", "without"]
    assert read_project(path).draft.title == "Unsaved"


def test_giving_up_the_name_gives_up_leaving(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    monkeypatch.setattr(workspace.project, "path", None)
    workspace.questions._save_then(workspace.window.leave)
    assert workspace.questions._after_saving is None


def test_a_name_without_its_ending_replaces_no_other_project(
    qtbot: QtBot, workspace: Workspace, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog asks for the name as it was typed, of which there is no file."""
    other = tmp_path / f"city{PROJECT_SUFFIX}"
    other.write_bytes(b"another project")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "city"), ""))
    with qtbot.waitSignal(session.failed, timeout=TIMEOUT):
        workspace.questions.save_project_as()
    assert other.read_bytes() == b"another project"
    assert workspace.questions._after_saving is None
    other.unlink()
    with qtbot.waitSignal(workspace.project.saved, timeout=TIMEOUT):
        workspace.questions.save_project_as()
    assert workspace.project.path == other
    with qtbot.waitSignal(workspace.project.saved, timeout=TIMEOUT):
        workspace.questions.save_project_as()  # its own file: nothing of another is lost


def test_a_project_that_could_not_be_saved_gives_up_leaving(
    qtbot: QtBot, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later saving, of a copy say, closes nothing."""
    monkeypatch.setattr(workspace.project, "path", tmp_path / "gone" / f"city{PROJECT_SUFFIX}")
    with qtbot.waitSignal(workspace.project.failed, timeout=TIMEOUT):
        workspace.questions._save_then(workspace.window.leave)
    assert workspace.questions._after_saving is None


def test_a_project_whose_choices_do_not_fit_opens_with_all_of_them(
    qtbot: QtBot, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    """It could be saved, and never be opened again: hours that no timeslot divides lost all the rest."""
    session.edit("Timeslot", slot_minutes=240, hours=("08:00", "13:00"), title="Half chosen")
    qtbot.waitUntil(lambda: session.planning.problem is not None, timeout=TIMEOUT)
    chosen, problem = session.draft, session.planning.problem
    _save(qtbot, workspace, tmp_path / "half")
    with qtbot.waitSignal(workspace.project.opened, timeout=TIMEOUT):
        workspace.project.open(tmp_path / f"half{PROJECT_SUFFIX}")
    qtbot.waitUntil(lambda: not session.busy and session.planning.problem is not None, timeout=TIMEOUT)
    assert session.draft == chosen
    assert str(session.planning.problem) == str(problem)


def test_what_was_chosen_before_a_kill_is_there_again(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    """Another process edits a project and is killed: this window offers its state, and has it."""
    home: Home = window.home
    path = tmp_path / f"city{PROJECT_SUFFIX}"
    _save(qtbot, workspace, path)
    saved = read_project(path)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(home.folder), str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "kept\n"
        workspace.project.look_for_left()  # the other window lives: nothing of it is offered
        qtbot.waitUntil(lambda: not workspace.project.looking.running, timeout=TIMEOUT)
    finally:
        child.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        child.wait()
        child.stdout.close()
    assert not workspace.recovery.isVisible()
    with qtbot.waitSignal(workspace.project.found_left, timeout=TIMEOUT):
        workspace.project.look_for_left()
    assert re.search(r"Unsaved work from \d{4}-\d\d-\d\d \d\d:\d\d is", workspace.recovery.notice.text())
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        press(qtbot, workspace.recovery.open)
    settle(window)
    expected = dataclasses.replace(saved.draft, title="Typed before the kill", threshold=2)
    assert session.draft == expected
    assert session.source == saved.source
    assert workspace._current_page() == "parameters"
    assert window.isWindowModified()
    assert not workspace.recovery.isVisible()


def test_work_that_cannot_be_read_is_told_of_once(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session
) -> None:
    """It came again at every start, as a mistake of the program."""
    folder = window.home.recovery
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{'0' * 16}{PROJECT_SUFFIX}"
    (folder / name).write_bytes(b"a = " + b"[" * 100_000)
    with qtbot.waitSignal(session.failed, timeout=TIMEOUT) as told:
        workspace.project.look_for_left()
    assert "it was set aside" in told.args[0].what
    assert [path.name for path in folder.glob(f"{'0' * 16}*")] == [f"{name}.set-aside"]


def _left_by_a_kill(workspace: Workspace, project: Project) -> None:
    """What a window that was killed leaves: nobody holds it any more."""
    recovery = Recovery(workspace.window.home.recovery)
    recovery.keep(project)
    assert recovery._lock is not None
    recovery._lock.release()


def test_what_cannot_be_recovered_now_is_still_there(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    """Its records lie on a drive that is not there yet: the work itself must not be lost with that."""
    _save(qtbot, workspace, tmp_path / "city")
    assert session.source is not None
    away = tmp_path / "away.csv"
    source = dataclasses.replace(session.source, files=(away,))
    draft = dataclasses.replace(session.draft, title="Typed before the kill")
    _left_by_a_kill(workspace, Project(draft=draft, source=source))
    with qtbot.waitSignal(workspace.project.found_left, timeout=TIMEOUT):
        workspace.project.look_for_left()
    before = session.draft
    press(qtbot, workspace.recovery.open)
    qtbot.waitUntil(lambda: workspace.questions.question is not None, timeout=WAIT)
    assert "1 file of this project is not where it was." in workspace.questions.question.text()
    with qtbot.waitSignal(workspace.project.found_left, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Cancel"])
    assert workspace.questions.question is None
    assert session.draft == before
    assert workspace.recovery.isVisible()
    shutil.copy(session.source.files[0], away)
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        press(qtbot, workspace.recovery.open)
    settle(window)
    assert session.draft == draft
    assert not workspace.recovery.isVisible()
    own = workspace.project._recovery.path
    qtbot.waitUntil(lambda: list(window.home.recovery.glob(f"*{PROJECT_SUFFIX}")) == [own], timeout=TIMEOUT)


def _moved(workspace: Workspace, folder: Path) -> tuple[Path, Path]:
    """A project that was saved with records in a folder of their own, and where they are now."""
    session = workspace.session
    assert session.source is not None
    place, now = folder / "old" / "records", folder / "elsewhere"
    now.mkdir()
    shutil.copy(session.source.files[0], now / "moved.csv")
    source = dataclasses.replace(session.source, files=(place / "moved.csv",))
    draft = dataclasses.replace(session.draft, title=f"Of {folder.name}", threshold=2)
    path = folder / "projects" / f"city{PROJECT_SUFFIX}"
    path.parent.mkdir()
    save_project(Project(draft=draft, source=source, page="parameters"), path)
    return path, now / "moved.csv"


def _open_saved(workspace: Workspace, path: Path) -> None:
    workspace.project.begin_anew()  # nothing is unsaved
    workspace.open_dropped([path])


def test_records_that_moved_are_asked_for_and_the_project_opens_as_it_was(
    qtbot: QtBot,
    window: MainWindow,
    workspace: Workspace,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, now = _moved(workspace, tmp_path)
    saved = read_project(path)
    before, bytes_before = (session.draft, session.source), path.read_bytes()
    _open_saved(workspace, path)
    qtbot.waitUntil(lambda: workspace.questions.question is not None, timeout=WAIT)
    told = workspace.questions.question.informativeText().replace("\u200b", "")
    assert str(saved.source.files[0]) in told
    assert str(path.parent) in told, "it was looked for beside the project, too"
    press(qtbot, _buttons(workspace)["Cancel"])
    qtbot.waitUntil(lambda: workspace.questions.question is None, timeout=TIMEOUT)
    assert (session.draft, session.source) == before
    _open_saved(workspace, path)
    qtbot.waitUntil(lambda: workspace.questions.question is not None, timeout=WAIT)
    empty = tmp_path / "empty"
    empty.mkdir()
    answers = ["", str(empty), str(now.parent)]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: answers.pop(0))
    for left in (2, 1):  # the choice of a folder was given up, then there was nothing in it
        asked = workspace.questions.question
        press(qtbot, _buttons(workspace)["Choose a folder…"])
        qtbot.waitUntil(lambda asked=asked: workspace.questions.question not in (None, asked), timeout=WAIT)
        assert len(answers) == left
    assert str(empty) in workspace.questions.question.informativeText().replace("\u200b", "")
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Choose a folder…"])
    settle(window)
    assert session.draft == saved.draft
    assert session.source == dataclasses.replace(saved.source, files=(now,))
    assert workspace.project.path == path
    assert workspace._current_page() == "parameters"
    assert window.isWindowModified(), "the new place is not in the file yet"
    assert path.read_bytes() == bytes_before
    _save(qtbot, workspace, path)
    assert not window.isWindowModified()
    assert read_project(path).source == session.source


def test_records_beside_a_project_that_moved_with_them_are_found(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    path, now = _moved(workspace, tmp_path)
    saved = read_project(path)
    beside = path.parent / "records" / "moved.csv"
    beside.parent.mkdir()
    now.rename(beside)
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        _open_saved(workspace, path)
    settle(window)
    assert workspace.questions.question is None
    assert session.draft == saved.draft
    assert session.source == dataclasses.replace(saved.source, files=(beside,))
    assert window.isWindowModified()
    _save(qtbot, workspace, path)


def test_other_records_in_place_of_those_that_moved_are_refused(
    qtbot: QtBot,
    workspace: Workspace,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, now = _moved(workspace, tmp_path)
    now.write_text("street,lamps\nMain,7\n")
    before = (session.draft, session.source, workspace.project.path)
    _open_saved(workspace, path)
    qtbot.waitUntil(lambda: workspace.questions.question is not None, timeout=WAIT)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(now)], ""))
    with qtbot.waitSignal(workspace.project.failed, timeout=WAIT) as failed:
        press(qtbot, _buttons(workspace)["Choose files…"])
    assert failed.args is not None
    assert isinstance(failed.args[0], InputError)
    assert "column" in str(failed.args[0])
    assert (session.draft, session.source) == before[:2]


def test_records_of_what_a_kill_left_are_asked_for(
    qtbot: QtBot,
    window: MainWindow,
    workspace: Workspace,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, now = _moved(workspace, tmp_path)
    project = dataclasses.replace(read_project(path), saved_as=str(path))
    _left_by_a_kill(workspace, project)
    with qtbot.waitSignal(workspace.project.found_left, timeout=TIMEOUT):
        workspace.project.look_for_left()
    press(qtbot, workspace.recovery.open)
    qtbot.waitUntil(lambda: workspace.questions.question is not None, timeout=WAIT)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(now)], ""))
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Choose files…"])
    settle(window)
    assert session.draft == project.draft
    assert session.source is not None
    assert session.source.files == (now,)
    assert workspace.project.path == path
    assert window.isWindowModified()
    assert not workspace.recovery.isVisible()
    _save(qtbot, workspace, path)


def test_what_a_kill_left_takes_the_place_of_unsaved_work_only_once_that_is_answered(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    _save(qtbot, workspace, tmp_path / "city")
    session.edit("Title", title="Unsaved here")
    draft = dataclasses.replace(session.draft, title="Typed before the kill")
    _left_by_a_kill(workspace, Project(draft=draft, source=session.source))
    with qtbot.waitSignal(workspace.project.found_left, timeout=TIMEOUT):
        workspace.project.look_for_left()
    press(qtbot, workspace.recovery.open)
    assert workspace.questions.question is not None
    press(qtbot, _buttons(workspace)["Cancel"])
    qtbot.waitUntil(lambda: workspace.questions.question is None, timeout=TIMEOUT)
    assert session.draft.title == "Unsaved here"
    assert workspace.recovery.isVisible()
    press(qtbot, workspace.recovery.open)
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Save"])
    settle(window)
    assert read_project(tmp_path / f"city{PROJECT_SUFFIX}").draft.title == "Unsaved here"
    assert session.draft == draft
    assert not workspace.recovery.isVisible()


def test_new_releases_begin_with_the_office_s_words(
    window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    session.apply(dataclasses.replace(session.draft, publisher="", contact="typed@city.example"))
    words = {"publisher": "City of Example", "contact": "opendata@city.example"}
    for name, text in words.items():
        window.settings.set_publisher_text(name, text)
    window.settings.release_folder = tmp_path / "bundles"
    workspace._take_settings()
    assert (session.draft.publisher, session.draft.contact) == ("City of Example", "typed@city.example")
    assert workspace.release.folder.text() == str(tmp_path / "bundles")
    for name in words:  # every project that is opened would be filled with them
        window.settings.set_publisher_text(name, "")


def _called_confidential(window: MainWindow) -> list[str]:
    """What is called so on any page or tab, and what is called made up."""
    seen = []
    for place in places_of(window):
        QApplication.processEvents()
        seen += [one.text() for one in place.findChildren(QLabel) if one.isVisible()]
    return [text for text in seen if text in ("Confidential", "Made up")]


def test_the_sample_takes_the_place_of_unsaved_work_only_once_that_is_answered(
    qtbot: QtBot, window: MainWindow, workspace: Workspace, session: Session, tmp_path: Path
) -> None:
    """And of no project: saved with one key, it would stand in the file of the office's own records."""
    path, view = tmp_path / f"city{PROJECT_SUFFIX}", workspace.map.view
    by_menu, by_button = workspace.open_sample, workspace.data.sample_button.click
    _save(qtbot, workspace, path)
    session.edit("Title", title="Unsaved")
    before = (session.draft, session.source)
    for ask in (by_menu, by_button):
        ask()
        assert workspace.questions.question is not None
        assert {"Save", "Open without saving", "Cancel"} == _buttons(workspace).keys()
        press(qtbot, _buttons(workspace)["Cancel"])
        qtbot.waitUntil(lambda: workspace.questions.question is None, timeout=TIMEOUT)
        assert (session.draft, session.source) == before
        assert not session.busy
    assert view.framed
    by_button()
    with qtbot.waitSignal(session.data_changed, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Save"])
    settle(window)
    assert session.source != before[1]
    assert workspace.project.path is None
    assert read_project(path).draft == before[0]
    session.edit("Privacy", relation=Relation.VALUES, unit=Unit.VEHICLE)
    settle(window)
    qtbot.waitUntil(lambda: not view.framed, timeout=WAIT)
    # it was, on ten places, and framed in amber: nobody's data looked like a secret
    assert set(_called_confidential(window)) == {"Made up"}
    workspace.project.begin_anew()
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        workspace.project.open(path)
    settle(window)
    session.edit("Title", title="Given up")
    by_menu()
    with qtbot.waitSignal(session.data_changed, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Open without saving"])
    settle(window)
    assert workspace.project.path is None
    assert window.windowTitle().startswith("Untitled")
    assert read_project(path).draft == before[0]
    path = tmp_path / f"sample{PROJECT_SUFFIX}"
    _save(qtbot, workspace, path)
    with qtbot.waitSignal(workspace.project.opened, timeout=WAIT):
        workspace.project.open(path)
    settle(window)
    assert workspace.project.path == path, "a project with the sample stays one"


@pytest.mark.parametrize("way", ["project", "spec"])
def test_a_project_or_spec_takes_the_place_of_unsaved_work_only_once_that_is_answered(
    qtbot: QtBot,
    window: MainWindow,
    workspace: Workspace,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
) -> None:
    path, other = tmp_path / f"city{PROJECT_SUFFIX}", tmp_path / f"other{PROJECT_SUFFIX}"
    spec = tmp_path / "other.toml"
    words = {"title": f"The other of {way}", "name": "other", "publisher": "City", "contact": "City"}
    session.edit("Texts", population="City buses", **words)
    _save(qtbot, workspace, other)
    _save(qtbot, workspace, spec)
    assert workspace.project.path == other, "a spec is no file to go on with"
    session.edit("Texts", title=f"Kept by {way}", name="", population="")
    _save(qtbot, workspace, path)
    session.edit("Title", title=f"Unsaved before {way}")
    before = session.draft
    chosen = other if way == "project" else spec
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen), ""))
    ask = workspace.ask_project
    opened = workspace.project.opened
    workspace.steps.choose("data")
    ask()
    assert workspace.questions.question is not None
    assert {"Save", "Open without saving", "Cancel"} == _buttons(workspace).keys()
    press(qtbot, _buttons(workspace)["Cancel"])
    qtbot.waitUntil(lambda: workspace.questions.question is None, timeout=TIMEOUT)
    assert (session.draft, workspace._current_page(), session.busy) == (before, "data", False)
    workspace.open_dropped([chosen])  # as a recent one
    with qtbot.waitSignal(opened, timeout=WAIT):
        press(qtbot, _buttons(workspace)["Save"])
    settle(window)
    assert read_project(path).draft == before
    assert session.draft.title == f"The other of {way}"
    assert workspace.project.path == (other if way == "project" else None)
    ask()  # nothing is unsaved: nobody is asked
    assert workspace.questions.question is None
    with qtbot.waitSignal(opened, timeout=WAIT):
        pass


def test_where_to_practise_is_told_by_the_name_of_the_command(
    window: MainWindow, workspace: Workspace
) -> None:
    of_file = window.menuBar().actions()[0]
    menu = of_file.menu()
    assert isinstance(menu, QMenu)
    told = workspace.release.practice.about.text()
    command = told.removesuffix(".").rpartition(": ")[2]
    names = [action.text().replace("&", "") for action in menu.actions()]
    assert command in [f"{of_file.text().replace('&', '')} > {name}" for name in names]
