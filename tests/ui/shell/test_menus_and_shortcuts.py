"""ui.shell.menus_and_shortcuts: what a menu offers, it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot

from core.system.paths import Home
from tests.ui.user_actions import press
from tests.ui.whole_window import wait_until
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.theme import DARK, LIGHT, Colours, Mode, Theme
from ui.session.settings import Settings
from ui.shell.main_window import MainWindow
from ui.shell.settings_dialog import SettingsDialog

WAIT = 30_000


@pytest.fixture(scope="module")
def opened(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """A window that has loaded the sample, for all tests of this file."""
    home = Home(tmp_path_factory.mktemp("home"))
    made = MainWindow(home, Settings(home), Theme(qapp, Mode.SYSTEM))
    made.show()
    made.prepare()
    wait_until(lambda: made.workspace is not None)
    assert made.workspace is not None
    session = made.workspace.session
    wait_until(lambda: session.has_data and not session.busy)
    yield made
    cancel_all()
    assert wait_for_all(30)
    made.leave()
    made.dispose()


@pytest.fixture
def window(opened: MainWindow) -> MainWindow:
    """On the first step, beside the map."""
    assert opened.workspace is not None
    opened.workspace.choose_step("data")
    opened.workspace.tabs.setCurrentWidget(opened.workspace.map)
    return opened


def action_of(window: MainWindow, *path: str) -> QAction:
    """The entry that these titles lead to, from the menu bar on."""
    actions = window.menuBar().actions()
    for title in path[:-1]:
        menu = next(action for action in actions if action.text().replace("&", "") == title).menu()
        actions = menu.actions()
    return next(action for action in actions if action.text().replace("&", "") == path[-1])


def test_the_panel_to_decide_with_folds_and_comes_back(window: MainWindow) -> None:
    assert window.workspace is not None
    before = window.workspace.decide.isVisible()
    for shown in (not before, before):
        action_of(window, "View", "Decide panel").trigger()
        assert window.workspace.decide.isVisible() is shown


def test_each_theme_is_taken_and_remembered(window: MainWindow) -> None:
    chosen: list[tuple[str, Mode, Colours | None]] = [
        ("Dark", Mode.DARK, DARK),
        ("Light", Mode.LIGHT, LIGHT),
        ("As the system", Mode.SYSTEM, None),
    ]
    for title, mode, colours in chosen:
        action_of(window, "View", "Theme", title).trigger()
        assert window.theme.mode is mode
        assert window.settings.theme is mode
        assert colours in (None, window.theme.colours)
        ticked = [name for name, _, _ in chosen if action_of(window, "View", "Theme", name).isChecked()]
        assert ticked == [title]


def test_the_release_is_a_key_away_from_a_text_field(qtbot: QtBot, window: MainWindow) -> None:
    assert window.workspace is not None
    window.activateWindow()
    window.workspace.steps.choose("verify")
    field = window.workspace.verify.key
    field.setFocus()
    qtbot.waitUntil(field.hasFocus, timeout=WAIT)
    qtbot.keyClick(field, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert window.workspace.stack.currentIndex() == list(window.workspace.pages).index("release")


def test_a_bundle_is_verified_from_the_menu(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert window.workspace is not None
    asked: list[Path] = []
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(tmp_path))
    monkeypatch.setattr(window.workspace.verify, "verify", asked.append)
    action_of(window, "File", "Verify a bundle…").trigger()
    assert asked == [tmp_path]
    assert window.workspace.stack.currentIndex() == list(window.workspace.pages).index("verify")


@pytest.mark.parametrize(
    ("title", "page", "asked"),
    [
        ("Open a folder…", "data", "getExistingDirectory"),
        ("Verify a bundle…", "verify", "getExistingDirectory"),
    ],
)
def test_what_an_entry_comes_to_is_told_on_a_page_that_is_seen(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, title: str, page: str, asked: str
) -> None:
    """From the ledger's place and another step."""
    workspace, seen = window.workspace, []
    assert workspace is not None

    def ask(*_: object, **__: object) -> str:
        seen.append(workspace.widget.isVisible())
        return ""

    monkeypatch.setattr(QFileDialog, asked, ask)
    workspace.choose_step("parameters")
    workspace.places.to_ledger.setChecked(True)
    action_of(window, "File", title).trigger()
    assert workspace.widget.isVisible()
    assert workspace.stack.currentIndex() == list(workspace.pages).index(page)
    assert seen == [True]


@pytest.mark.parametrize("title", ["Show all hexagons", "Play the slots", "All slots side by side"])
def test_what_is_done_to_the_map_is_seen(window: MainWindow, title: str) -> None:
    workspace = window.workspace
    assert workspace is not None
    workspace.tabs.setCurrentWidget(workspace.table)
    workspace.places.to_ledger.setChecked(True)
    action_of(window, "View", title).trigger()
    assert workspace.map.isVisible()


def test_the_panel_to_decide_with_comes_from_the_ledger_s_place_too(window: MainWindow) -> None:
    workspace = window.workspace
    assert workspace is not None
    workspace.places.to_ledger.setChecked(True)
    action_of(window, "View", "Decide panel").trigger()
    assert workspace.decide.isVisible()


@pytest.mark.parametrize("place", ["to_ledger", "to_compare"])
def test_what_is_verified_from_the_menu_is_seen_wherever_one_was(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    workspace = window.workspace
    assert workspace is not None
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    getattr(workspace.places, place).setChecked(True)
    action_of(window, "File", "Verify a bundle…").trigger()
    qtbot.waitUntil(workspace.verify.message.isVisible, timeout=WAIT)  # no bundle at all


@pytest.mark.parametrize("entry", ["Open project…", "Save project as…"])
def test_a_spec_is_opened_and_saved_like_a_project(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    workspace = window.workspace
    assert workspace is not None
    qtbot.waitUntil(lambda: workspace.session.has_data and not workspace.session.busy, timeout=WAIT)
    spec = tmp_path / "faulty.toml"
    spec.write_text("[release]\n")
    form = "Specs of the command line (*.toml)"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(spec), ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), form))
    project = workspace.project
    with qtbot.waitSignal(project.failed if entry.startswith("Open") else project.saved, timeout=WAIT):
        action_of(window, "File", entry).trigger()
    assert (tmp_path / "mine.hexveil.toml").exists() is entry.startswith("Save")


def test_the_settings_are_in_the_menu_and_reach_what_is_open(qtbot: QtBot, window: MainWindow) -> None:
    assert window.workspace is not None
    action_of(window, "File", "Settings…").trigger()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    assert dialog.isVisible()
    dialog.texts["publisher"].setText("City of Example")
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Save))
    assert window.settings.publisher_text("publisher") == "City of Example"
    assert window.workspace.session.draft.publisher == "City of Example"


def test_one_key_stops_what_runs_and_else_clears_marks(qtbot: QtBot, window: MainWindow) -> None:
    assert window.workspace is not None
    session = window.workspace.session
    stop, clear = (action_of(window, "Edit", name) for name in ("Stop the running work", "Clear the marks"))
    assert stop.isEnabled() is session.busy
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT)  # the sample loads
    assert not stop.isEnabled()
    assert not clear.isEnabled()
    session.marked.take([("a", 0), ("b", 0)])
    assert clear.isEnabled()
    window.activateWindow()
    window.setFocus()
    qtbot.waitUntil(window.isActiveWindow, timeout=WAIT)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not session.marked.hats
    assert not clear.isEnabled()


def test_a_picture_is_grey_with_its_reason_and_the_key_tells_it(window: MainWindow) -> None:
    assert window.workspace is not None
    menu, told = window.menuBar().actions()[0].menu(), []
    window.workspace.session.noted.connect(told.append)
    action = action_of(window, "File", "Export picture…")
    menu.aboutToShow.emit()
    assert not action.isEnabled()
    assert action.toolTip().startswith("No picture: ")
    menu.aboutToHide.emit()
    action.trigger()
    assert told[-1].split() == action.toolTip().split()
