"""ui.session.selected_counts: HATs with records and without, told alike in every place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from core.privacy import Unit
from core.selection.base import Selection
from tests.geojson import box, polygon, write_geojson
from tests.ui.small_city import edit, planned_session
from tests.ui.user_actions import open_sections, show, texts
from ui.parameters.page import ParametersPage
from ui.session.selected_counts import selected_counts, suppressed_count


def test_those_without_records_are_counted_apart() -> None:
    selection = Selection(
        cell=np.array([1, 2, 3], np.uint64), slot=np.zeros(3, np.int16), index=np.array([4, -1, 0])
    )
    assert selected_counts(selection) == (2, 1)


def test_the_step_and_its_page_say_the_same(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page)
    path = write_geojson(tmp_path / "ward.geojson", polygon(box(72.78, 21.08, 72.84, 21.22)))
    edit(qtbot, session, rule="boundary", cells_file=str(path))
    assert session.forecast is not None
    assert session.forecast.selection is not None
    recorded, empty = selected_counts(session.forecast.selection)
    assert empty > 0
    note = page.sections["hexagons"].head.summary.text()
    assert note == f"{recorded:,} hexagon slots selected, {empty:,} more empty"
    assert f"{recorded:,} of" in texts(page)
    assert f"{empty:,} more without records" in texts(page)
    edit(qtbot, session, minimum_vehicles=4)
    few = suppressed_count(session.forecast, 4)
    assert few > 0
    note = page.sections["hexagons"].head.summary.text()
    assert note == f"{recorded:,} slots selected ({few:,} suppressed), {empty:,} empty"


def test_those_of_too_few_vehicles_are_told_as_what_they_become(qtbot: QtBot, tmp_path: Path) -> None:
    """Selected and released are two numbers: what lies between them is said, with or without a plan."""
    session = planned_session(qtbot, tmp_path)
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page)
    assert "published as suppressed" not in texts(page)
    for unit in (Unit.VEHICLE, None):
        edit(qtbot, session, minimum_vehicles=4, unit=unit)
        shown = session.forecast
        assert shown is not None
        assert [len(plan.published) for plan in shown.plans] == ([2] if unit else [])
        assert suppressed_count(shown, 4) == 2
        note = page.sections["hexagons"].head.summary.text()
        assert note == "4 hexagon slots selected, 2 suppressed"
        assert "4 of 6 hexagon slots selected" in texts(page)
        assert "2 of them have fewer than 4 vehicles: published as suppressed" in texts(page)
