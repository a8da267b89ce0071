"""ui.parameters.place_chooser: the kind first, then what belongs to it; a draft is never half chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.geodata.zones_source import ZonesSource
from core.hats.places import HEXAGON, LABELLED, WHOLE, ZONED
from core.privacy import Relation
from core.selection.cells import RULE as CELLS
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.release_story import make_home, make_session
from tests.ui.small_city import loaded_session
from tests.ui.user_actions import lies_on
from ui.parameters.page import ParametersPage
from ui.parameters.place_chooser import PlaceChooser
from ui.session.session import Session

WAIT_MS = 20_000


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    make_home()
    return make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))


def chooser_of(qtbot: QtBot, session: Session) -> PlaceChooser:
    page = ParametersPage(session)
    qtbot.addWidget(page)
    page.show()
    return page.knobs.place


def choose(chooser: PlaceChooser, kind: str) -> None:
    chooser.kind.setCurrentIndex(chooser.kind.findData(kind))
    chooser.kind.activated.emit(chooser.kind.currentIndex())


def settle(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy and session.fits, timeout=WAIT_MS)


def test_a_column_is_chosen_by_its_public_name(qtbot: QtBot, session: Session) -> None:
    chooser = chooser_of(qtbot, session)
    choose(chooser, LABELLED)
    assert session.draft.place_kind == HEXAGON
    assert (chooser.column.isVisible(), chooser.column.currentIndex()) == (True, -1)
    assert chooser.window().focusWidget() is chooser.column, "the keyboard goes on there"
    session.edit("else", minimum_vehicles=3)
    assert chooser.kind.currentData() == LABELLED  # it waits for the column
    chooser.column.setCurrentIndex(chooser.column.findText("route"))
    chooser.column.activated.emit(0)
    settle(qtbot, session)
    assert (session.draft.place_kind, session.draft.place_column) == (LABELLED, "route")
    assert session.overview is not None
    assert "1" in session.overview.hexagons
    session.undo_stack.undo()
    settle(qtbot, session)
    assert chooser.kind.currentData() == HEXAGON
    assert not chooser.column.isVisible()


def test_zones_and_the_whole_area(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    chooser = chooser_of(qtbot, session)
    choose(chooser, ZONED)
    assert chooser.dialog is not None
    assert lies_on(chooser.dialog, chooser)
    chooser.dialog.reject()
    assert chooser.kind.currentData() == HEXAGON
    source = ZonesSource(file=str(tmp_path / "city" / "wards.geojson"), id="ward", licence="CC0-1.0")
    choose(chooser, ZONED)
    chooser.dialog.chosen.emit(source)
    settle(qtbot, session)
    assert session.draft.zones_source == source
    assert chooser.zones.text() == "wards.geojson"
    choose(chooser, WHOLE)
    settle(qtbot, session)
    assert session.draft.place_kind == WHOLE


def test_without_public_names_it_is_said_where_to_give_one(qtbot: QtBot, tmp_path: Path) -> None:
    chooser = chooser_of(qtbot, loaded_session(qtbot, tmp_path / "small"))
    with qtbot.waitSignal(chooser.refused) as refused:
        choose(chooser, LABELLED)
    assert "public name" in refused.args[0].what
    assert chooser.kind.currentData() == HEXAGON


def test_a_list_of_places_is_none_of_another_kind(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    chooser = chooser_of(qtbot, session)
    (tmp_path / "cells.txt").write_text("8742d9d69ffffff\n", encoding="utf-8")
    session.edit("Listed", rule=CELLS.key, cells_file=str(tmp_path / "cells.txt"))
    choose(chooser, WHOLE)
    assert (session.draft.place_kind, session.draft.rule, session.draft.cells_file) == (WHOLE, "hat", "")
    session.undo_stack.undo()
    assert (session.draft.rule, session.draft.cells_file) == (CELLS.key, str(tmp_path / "cells.txt"))
    session.choose_relation("Relation", Relation.USER)
    session.edit("Listed", rule=CELLS.key, cells_file=str(tmp_path / "cells.txt"))
    choose(chooser, WHOLE)
    assert session.draft.rule == CELLS.key
    assert Path(session.draft.cells_file).read_text(encoding="utf-8").split() == ["all"], "there is but one"
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT_MS)


def test_of_one_column_there_is_nothing_to_choose(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    chooser = chooser_of(qtbot, session)
    monkeypatch.setattr(PlaceChooser, "_columns", (("route", "line"),))
    choose(chooser, LABELLED)
    assert (session.draft.place_kind, session.draft.place_column) == (LABELLED, "route")
    settle(qtbot, session)


def test_how_many_places_there_are_is_told_where_counts_are_public(qtbot: QtBot, session: Session) -> None:
    page = ParametersPage(session)
    qtbot.addWidget(page)
    page.show()
    line = page.knobs.of_place.text
    session.edit("Place", place_kind=LABELLED, place_column="route")
    qtbot.waitUntil(lambda: line.text().endswith(" places with records."), timeout=WAIT_MS)
    rule = page.hexagons.rule
    can = {rule.itemData(row): rule.model().item(row).isEnabled() for row in range(rule.count())}
    assert (can["hat"], can[CELLS.key], can["boundary"]) == (True, True, False), "it holds hexagons alone"
    session.edit("Place", place_kind=WHOLE)
    qtbot.waitUntil(lambda: line.text() == "1 place with records.", timeout=WAIT_MS)
    session.edit("Place", place_kind=HEXAGON, resolution=8, mixed=(7, 8))
    qtbot.waitUntil(lambda: "with records." in line.text() and "hexagon" in line.text(), timeout=WAIT_MS)
    zone = session.contributions.zone if session.contributions else ""
    session.edit("Place", place_kind=WHOLE, resolution=7, mixed=())
    session.choose_relation("Relation", Relation.USER)
    session.edit("Typed", zone=zone, date_ranges=session.recorded_dates)
    settle(qtbot, session)
    page.knobs.show_problem()
    assert line.text() == "No advice: counts are protected.", "whether anybody was there is private"
