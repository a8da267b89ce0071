"""ui.parameters.candidates: four ways to name hexagons, each a file that the spec names."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.privacy import Relation
from core.selection.boundary import read_boundary
from core.selection.cells import read_cells
from core.selection.place_ids import read_place_ids
from core.system.paths import find_home
from tests.taxis import CELLS
from tests.ui.user_actions import refusal, show
from ui.parameters.candidates import Candidates, Way
from ui.session.session import Session

EDGES = ("21.1", "72.7", "21.3", "72.9")


@pytest.fixture
def session() -> Session:
    made = Session(find_home())
    made.choose_relation("Relation", Relation.USER)
    return made


@pytest.fixture
def named(qtbot: QtBot, session: Session) -> Candidates:
    made = Candidates(session)
    session.draft_changed.connect(made.refresh)
    show(qtbot, made, width=260)
    return made


def choose(named: Candidates, way: Way) -> None:
    named.way.setCurrentIndex(named.way.findData(way))
    named.way.activated.emit(named.way.currentIndex())


def type_edges(named: Candidates, *texts: str) -> None:
    for edge, text in zip(named.edges, texts, strict=True):
        edge.setText(text)
        edge.editingFinished.emit()


def test_nothing_is_named_at_first(named: Candidates, session: Session) -> None:
    assert session.draft.cells_file == ""
    assert [edge.text() for edge in named.edges] == [""] * 4
    assert named.file.text() == "Choose file…"
    assert [named.way.itemText(row) for row in range(named.way.count())] == [
        "Boundary in a GeoJSON file",
        "List of H3 cells in a file",
        "Box of coordinates",
        "Typed list of H3 cells",
    ]
    assert named.note.text() == "From a map or a list of districts, never from the records."
    assert named.note.property("look") == "muted"


def test_the_key_of_its_caption_leads_to_how_they_are_named(named: Candidates) -> None:
    named.setFocus()
    assert named.focusWidget() is named.way


def test_fields_of_a_box_keep_their_names_once_they_are_filled(named: Candidates) -> None:
    choose(named, Way.BOX)
    type_edges(named, *EDGES)
    seen = [one for one in named.findChildren(QLabel) if one.isVisible() and one is not named.note]
    assert [one.text() for one in seen] == ["south", "west", "north", "east"]
    for name, edge in zip(seen, named.edges, strict=True):
        assert name.width() >= name.fontMetrics().horizontalAdvance(name.text()), "is not cut"
        assert name.geometry().right() < edge.geometry().left()
        assert abs(name.geometry().center().y() - edge.geometry().center().y()) <= 2
        assert edge.width() >= edge.fontMetrics().horizontalAdvance("72.7812"), "holds four decimals"


def test_a_box_that_the_draft_no_longer_names_is_not_shown_as_if_it_did(
    named: Candidates, session: Session
) -> None:
    choose(named, Way.BOX)
    type_edges(named, *EDGES)
    assert session.draft.cells_file
    session.edit("Other hexagons", cells_file="")
    assert [edge.text() for edge in named.edges] == [""] * 4
    named.edges[0].setText("21.1")  # typed while something else of the draft changes
    session.edit("Title", title="Taxis")
    assert named.edges[0].text() == "21.1"


@pytest.mark.parametrize(("way", "rule"), [(Way.BOUNDARY, "boundary"), (Way.LIST, "cells")])
def test_a_file_is_asked_for_by_its_rule(qtbot: QtBot, named: Candidates, way: Way, rule: str) -> None:
    choose(named, way)
    with qtbot.waitSignal(named.file_wanted) as told:
        named.file.click()
    assert told.args == [rule]


def test_a_typed_box_is_a_boundary_and_can_be_undone(
    qtbot: QtBot, named: Candidates, session: Session
) -> None:
    choose(named, Way.BOX)
    with qtbot.assertNotEmitted(named.refused):  # while three numbers are missing, nothing is wrong yet
        type_edges(named, *EDGES)
    path = Path(session.draft.cells_file)
    assert session.draft.rule == "boundary"
    assert path.parent == session.home.folder / "candidates"
    assert read_boundary(path, 7)
    session.undo_stack.undo()
    assert session.draft.cells_file == ""
    session.undo_stack.redo()
    assert [edge.text() for edge in named.edges] == list(EDGES)
    assert Way(named.way.currentData()) is Way.BOX


@pytest.mark.parametrize("way", list(Way))
def test_a_way_that_is_picked_stays_until_something_is_named(
    named: Candidates, session: Session, way: Way
) -> None:
    choose(named, way)
    session.edit("Threshold", threshold=7)
    assert named.way.currentData() == way
    assert [named.file.isVisible(), named.edges[0].isVisible(), named.typed.isVisible()] == [
        way in (Way.BOUNDARY, Way.LIST),
        way is Way.BOX,
        way is Way.TYPED,
    ]


def test_typed_cells_are_a_list(qtbot: QtBot, named: Candidates, session: Session) -> None:
    choose(named, Way.TYPED)
    with qtbot.assertNotEmitted(named.refused):
        named.typed.editingFinished.emit()
    assert session.draft.cells_file == "", "nothing is typed yet"
    named.typed.setText(" ".join(CELLS[:2]))
    named.typed.editingFinished.emit()
    assert session.draft.rule == "cells"
    assert len(read_cells(Path(session.draft.cells_file), 7)) == 2


@pytest.mark.parametrize("texts", [("x", "72.7", "21.3", "72.9"), ("22", "72.7", "21.3", "72.9")])
def test_a_box_that_does_not_fit_is_refused(
    qtbot: QtBot, named: Candidates, session: Session, texts: tuple[str, ...]
) -> None:
    choose(named, Way.BOX)
    with qtbot.waitSignal(named.refused) as told:
        type_edges(named, *texts)
    assert isinstance(told.args[0], InputError)
    assert session.draft.cells_file == ""


def test_cells_of_another_resolution_are_refused(qtbot: QtBot, named: Candidates, session: Session) -> None:
    session.edit("Resolution", resolution=8)
    choose(named, Way.TYPED)
    with refusal(qtbot, named.refused):
        named.typed.setText(CELLS[0])
        named.typed.editingFinished.emit()
    assert session.draft.cells_file == ""


def test_a_file_of_one_s_own_is_shown_by_its_name(
    named: Candidates, session: Session, tmp_path: Path
) -> None:
    session.edit("File", rule="boundary", cells_file=str(tmp_path / "ward.geojson"))
    assert named.file.text() == "ward.geojson"
    assert Way(named.way.currentData()) is Way.BOUNDARY


def test_other_places_are_named_by_their_ids(named: Candidates, session: Session) -> None:
    session.edit("Place", place_kind="column", place_column="route")
    assert named.way.currentData() == Way.TYPED
    assert "ids" in named.way.currentText()
    items = named.way.model()
    assert isinstance(items, QStandardItemModel)
    assert [items.item(row).isEnabled() for row in range(named.way.count())] == [False, True, False, True]
    named.typed.setText("Line 2; =1; nobody drives there")
    named.typed.editingFinished.emit()
    assert read_place_ids(Path(session.draft.cells_file)) == ("=1", "Line 2", "nobody drives there")
    session.edit("Place", place_kind="h3", cells_file="")
    assert "H3" in named.way.currentText()
