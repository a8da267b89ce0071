"""A boundary in the window: from its file to the count, the message in place, and the map."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import h3
import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from core.draft.draft import draft_of, save_draft
from core.errors import InputError
from core.spec import load_spec
from tests.geojson import box, features, polygon, write_geojson
from tests.ui.small_city import TIMEOUT, edit
from tests.ui.user_actions import message, open_sections, show, texts
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.theme import Mode, Theme
from ui.map.page import MapTab
from ui.parameters.page import ParametersPage
from ui.session.session import Session
from ui.web_map.painting import OUTSIDE_FILL, SUPPRESSED_FILL

PAGE_MS = 15_000
WARD = box(72.75, 21.15, 72.85, 21.35)
"""Round the places with three vehicles and with one."""


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> ParametersPage:
    made = ParametersPage(session)
    open_sections(made)
    show(qtbot, made, width=340)
    return made


@pytest.fixture
def tab(qapp: QApplication, qtbot: QtBot, session: Session) -> Iterator[MapTab]:
    made = MapTab(session, Theme(qapp, Mode.LIGHT))
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    edit(qtbot, session, threshold=2)
    edit(qtbot, session, resolution=6)
    edit(qtbot, session, resolution=7)
    settle(qtbot, made, session)
    yield made
    cancel_all()
    assert wait_for_all(30)
    blocked, complaints = made.view.guard.blocked, made.view.complaints
    made.view.dispose()
    assert (blocked, complaints) == ([], [])


def settle(qtbot: QtBot, tab: MapTab, session: Session) -> None:
    jobs = (tab._painting, tab._outlining)
    qtbot.waitUntil(
        lambda: tab.view.is_ready and not session.busy and not any(job.running for job in jobs),
        timeout=PAGE_MS,
    )


def cells_of(session: Session) -> list[str]:
    assert session.forecast is not None
    assert session.forecast.selection is not None
    return [h3.int_to_str(cell) for cell in dict.fromkeys(session.forecast.selection.cell.tolist())]


def choose(page: ParametersPage, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    page.hexagons.rule.setCurrentIndex(page.hexagons.rule.findData("boundary"))
    page.hexagons.rule.activated.emit(page.hexagons.rule.currentIndex())


def test_a_boundary_selects_its_hexagons_in_every_slot(
    qtbot: QtBot, page: ParametersPage, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        choose(page, write_geojson(tmp_path / "ward.geojson", polygon(WARD)), monkeypatch)
    hexagons = len(cells_of(session))
    assert hexagons > 20
    assert "4 of 6 hexagon slots selected" in texts(page)
    assert f"{hexagons * 12 - 4} more without records: published as suppressed" in texts(page)
    assert f"in {hexagons} hexagons; 2 of these slots have a single vehicle" in texts(page)
    assert not message(page)
    assert session.forecast is not None
    assert session.forecast.plan is not None
    assert len(session.forecast.plan.published) == 2
    told = page.protected.sentence.text()
    assert "Of 4 hexagon slots, 2 hold a single vehicle" in told, "as many as above"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("h3_cell", "The file is not JSON."),
        (json.dumps(polygon(box(72.8, 21.1, 72.8001, 21.1001))), "No hexagon of resolution 7"),
        (None, "There is no such file."),
    ],
)
def test_a_bad_boundary_is_told_in_place_and_undone(
    qtbot: QtBot,
    page: ParametersPage,
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str | None,
    what: str,
) -> None:
    path = tmp_path / "ward.geojson"
    if content is not None:
        path.write_text(content)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        choose(page, path, monkeypatch)
    assert isinstance(session.planning.problem, InputError)
    assert message(page).startswith(what)
    assert str(path) in message(page)
    assert len(message(page).split("\n")) == 3
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    assert not message(page)
    assert page.hexagons.rule.currentData() == "hat"


def test_the_map_shows_the_hexagons_and_the_outline(
    qtbot: QtBot, tab: MapTab, session: Session, tmp_path: Path
) -> None:
    recorded = tab.view._cells
    tab._wanted = "selected"
    path = write_geojson(tmp_path / "ward.geojson", polygon(WARD))
    edit(qtbot, session, rule="boundary", cells_file=str(path))
    settle(qtbot, tab, session)
    inside = set(cells_of(session))
    assert set(tab.view._cells) == inside | set(recorded)
    assert tab.view._cells[: len(recorded)] == recorded
    painting = tab.view._painting
    assert painting is not None
    assert painting.title == "Selection"
    assert {painting.fill_of(cell) for cell in inside - set(recorded)} == {SUPPRESSED_FILL}
    assert {painting.fill_of(cell) for cell in set(recorded) - inside} <= {1, OUTSIDE_FILL}
    assert len(tab.view._outline) == 1
    edit(qtbot, session, rule="hat", cells_file="")
    settle(qtbot, tab, session)
    assert tab.view._cells == recorded
    assert tab.view._outline == ()


def test_a_boundary_that_is_none_leaves_the_map_as_it_was(
    qtbot: QtBot, tab: MapTab, session: Session, tmp_path: Path
) -> None:
    cells = tab.view._cells
    path = write_geojson(tmp_path / "ward.geojson", features())
    edit(qtbot, session, rule="boundary", cells_file=str(path))
    settle(qtbot, tab, session)
    assert tab.view._cells == cells
    assert tab.view._outline == ()


def test_the_window_s_spec_is_the_command_line_s(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    write_geojson(tmp_path / "ward.geojson", polygon(WARD))
    edit(qtbot, session, rule="boundary", cells_file="ward.geojson", population="Buses", confirmed=True)
    texts_of_release = {"name": "a-b", "title": "t", "publisher": "p", "contact": "c@d.example"}
    assert session.source is not None
    draft = dataclasses.replace(session.draft, cells_file=str(tmp_path / "ward.geojson"), **texts_of_release)
    save_draft(draft, session.source, tmp_path / "spec.toml")
    spec = load_spec(tmp_path / "spec.toml")
    assert [h3.int_to_str(cell) for cell in spec.selection.cells] == cells_of(session)
    assert draft_of(spec)[0].rule == "boundary"
