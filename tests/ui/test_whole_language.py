"""The window in a made-up language that is 40 % longer: no English is left, and nothing is cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QWidget

from core.privacy import Relation
from tests.records import write_csv
from tests.ui.small_city import pings
from tests.ui.told_texts import Told, laid_out
from tests.ui.whole_window import places_of, wait_until
from ui.budget.limit_dialog import LimitDialog
from ui.data.import_dialog import ImportDialog
from ui.data.same_vehicles import SameVehiclesDialog
from ui.errors.evaluation_dialog import EvaluationDialog
from ui.release.key_dialog import KeyDialog
from ui.shell.help import AboutDialog, GlossaryDialog, ShortcutsDialog
from ui.shell.main_window import MainWindow
from ui.shell.settings_dialog import SettingsDialog

POPULATION = "City buses"


def dialogs_of(window: MainWindow, files: Path) -> Iterator[QDialog]:
    """What opens over the window, one after the other."""
    workspace = window.workspace
    assert workspace is not None
    session = workspace.session
    for made in (
        GlossaryDialog(window),
        ShortcutsDialog(window),
        AboutDialog(window.home, window),
        SettingsDialog(window.settings, window.theme, window),
        LimitDialog(session, window),
        KeyDialog(window.home, window),
        EvaluationDialog(session, window),
        SameVehiclesDialog(POPULATION, typed=False, parent=window),
        ImportDialog([write_csv(files / "city.csv", pings())], window),
    ):
        made.show()
        wait_until(lambda shown=made: not getattr(shown, "busy", False))
        laid_out()
        yield made
        made.close()
        made.deleteLater()


def scenes(window: MainWindow, files: Path) -> Iterator[QWidget]:
    """The window in every place of both relations, and its dialogs."""
    workspace = window.workspace
    assert workspace is not None
    for relation in (Relation.VALUES, Relation.USER):
        workspace.session.edit("change", relation=relation)
        for _ in places_of(window):
            laid_out()
            yield window
    workspace.places.to_ledger.click()
    laid_out()
    yield window
    workspace.places.to_ledger.click()
    yield from dialogs_of(window, files)


@pytest.fixture(scope="module")
def told(disguised_window: MainWindow, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Of all scenes."""
    found = Told((POPULATION, "mean_speed"))
    for action in disguised_window.findChildren(QAction):
        found.read(f"{action.text()} {action.toolTip()}", "QAction")
    for scene in scenes(disguised_window, tmp_path_factory.mktemp("files")):
        found.look(scene)
    return found


def test_no_english_is_left_anywhere(told: Told) -> None:
    assert told.english == set()


def test_nothing_is_cut(told: Told) -> None:
    assert told.cut == set()
