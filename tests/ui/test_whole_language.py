"""The window in a made-up language that is 40 % longer: no English is left, and nothing is cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from core.privacy import Relation
from tests.ui.every_dialog import dialogs_of
from tests.ui.told_texts import NAMES, Told, laid_out
from tests.ui.whole_window import places_of
from ui.shell.main_window import MainWindow


def scenes(window: MainWindow, files: Path) -> Iterator[QWidget]:
    """The window in every place of both relations, and its dialogs; other states: test_every_state.py."""
    workspace = window.workspace
    assert workspace is not None
    for relation in (Relation.USER, Relation.VALUES):
        workspace.session.edit("change", relation=relation)
        for _ in places_of(window):
            laid_out()
            yield window
    workspace.places.to_ledger.click()
    laid_out()
    yield window
    workspace.places.to_ledger.click()
    for dialog in dialogs_of(window, files):
        laid_out()
        yield dialog


@pytest.fixture(scope="module")
def told(disguised_window: MainWindow, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Of all scenes."""
    found = Told(NAMES)
    for action in disguised_window.findChildren(QAction):
        found.read(f"{action.text()} {action.toolTip()}", "QAction")
    for scene in scenes(disguised_window, tmp_path_factory.mktemp("in")):
        found.look(scene)
    return found


def test_no_english_is_left_anywhere(told: Told) -> None:
    assert told.english == set()


def test_nothing_is_cut(told: Told) -> None:
    assert told.cut == set()
