"""ui.table.route_lines_bar: routes are drawn once a timetable is taken, and no longer when it is removed."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from core.hats.places import LABELLED
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.release_story import make_home, make_session
from ui.table.route_lines_bar import RouteLinesBar

WAIT_MS = 20_000


def test_a_timetable_draws_the_routes_that_it_has(qtbot: QtBot, tmp_path: Path) -> None:
    make_home(limit="1000")
    session = make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))
    bar = RouteLinesBar(session)
    qtbot.addWidget(bar)
    assert bar.isHidden()

    def rest() -> None:
        qtbot.waitUntil(lambda: not session.busy and session.fits and bar.add.isEnabled(), timeout=WAIT_MS)

    session.edit("Place", place_kind=LABELLED, place_column="route")
    rest()
    assert not bar.isHidden()
    assert "No map" in bar.note.text()
    assert bar.remove.isHidden()
    failed: list[object] = []
    session.failed.connect(failed.append)
    bar.take_file(tmp_path / "city" / "places.txt")
    qtbot.waitUntil(lambda: bool(failed), timeout=WAIT_MS)
    assert session.draft.shapes == ""
    bar.take_file(tmp_path / "city" / "timetable.zip")
    qtbot.waitUntil(lambda: session.draft.shapes != "", timeout=WAIT_MS)
    rest()
    kinds = {place: one["type"] for place, one in session.outlines.items()}
    assert kinds == dict.fromkeys(("1", "=2", "rare route"), "LineString")
    assert "3 of 4" in bar.note.text()
    bar.remove.click()
    rest()
    assert not session.outlines
    assert "No map" in bar.note.text()
