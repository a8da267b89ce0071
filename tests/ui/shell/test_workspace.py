"""What the window begins with: the sample, or what was named to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.paths import find_home, resources
from core.release.bundle_names import MANIFEST, SIGNATURE
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.layouts import LEFT_WIDTH, RIGHT_WIDTH
from ui.kit.theme import Mode, Theme
from ui.session.settings import Settings
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace, bundle_of

WAIT = 30_000
Opener = Callable[[Path], Workspace]


@pytest.fixture
def opening(qtbot: QtBot) -> Iterator[Opener]:
    """A real window that begins with a path; its workspace once the engine is loaded."""
    made: list[MainWindow] = []

    def open_with(path: Path) -> Workspace:
        home = find_home()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        window = MainWindow(home, Settings(home), Theme(application, Mode.LIGHT), opened=path)
        made.append(window)
        qtbot.addWidget(window)
        window.show()
        window.prepare()
        qtbot.waitUntil(lambda: window.workspace is not None, timeout=WAIT)
        assert window.workspace is not None
        return window.workspace

    yield open_with
    cancel_all()
    assert wait_for_all(30)
    for window in made:
        window.close()
        window.dispose()


def test_a_spec_is_opened_with_its_data(qtbot: QtBot, opening: Opener) -> None:
    workspace = opening(resources() / "sample" / "sample.toml")
    session = workspace.session
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT)
    assert session.draft.name == "surat-synthetic-bus-speed"
    assert session.draft.resolution == 6
    assert workspace.stack.currentIndex() == list(workspace.pages).index("release")


def test_a_bundle_named_by_its_signature_is_verified(qtbot: QtBot, tmp_path: Path, opening: Opener) -> None:
    bundle = tmp_path / "bundle-1.0.0"
    bundle.mkdir()
    (bundle / MANIFEST).write_text("")
    (bundle / SIGNATURE).write_text("")
    workspace = opening(bundle / SIGNATURE)
    assert workspace.stack.currentIndex() == list(workspace.pages).index("verify")
    assert "bundle-1.0.0" in workspace.verify.subject.text()
    qtbot.waitUntil(lambda: workspace.session.loaded is not None, timeout=WAIT)


def test_a_bundle_is_a_folder_or_one_of_its_two_files(tmp_path: Path) -> None:
    assert bundle_of(tmp_path) is None
    (tmp_path / SIGNATURE).write_text("")
    assert bundle_of(tmp_path / SIGNATURE) is None
    (tmp_path / MANIFEST).write_text("")
    for path in (tmp_path, tmp_path / MANIFEST, tmp_path / SIGNATURE):
        assert bundle_of(path) == tmp_path
    (tmp_path / "other.csv").write_text("")
    assert bundle_of(tmp_path / "other.csv") is None


def test_at_first_every_column_has_its_width(qtbot: QtBot, opening: Opener) -> None:
    """A tab whose least width is too large would take it from the columns beside it."""
    workspace = opening(resources() / "sample" / "sample.toml")
    qtbot.waitUntil(lambda: workspace.session.forecast is not None, timeout=WAIT)
    left, _, right = workspace.widget.sizes()
    assert (left, right) == (LEFT_WIDTH, RIGHT_WIDTH)
