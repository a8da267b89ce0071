"""ui.map.layer_picture: only what is public is ever in a picture, with who publishes it and what it costs."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import h3
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.charts.hexagon_map import HexagonMap
from core.errors import InputError
from core.verify.values import bundle_values
from tests.builders import CELLS, make_bundle, make_city_query, make_release
from tests.ui.languages import spoken
from tests.ui.small_city import edit, planned_session
from tests.ui.taxi_story import user_session
from ui.language.translation import catalogue_of
from ui.map.layer_picture import bundle_picture, layer_picture, refusal_of
from ui.map.layers import Layer, MapState, is_confidential, layers
from ui.session.session import Session

RELEASED = {"released-mean", "smoothed-mean", "interval-width", "smoothed-width"}


def state_of(session: Session, **changes: object) -> MapState:
    assert session.overview is not None
    state = MapState(
        overview=session.overview,
        forecast=session.forecast,
        release=make_release(queries=(make_city_query(),)),
        slot=9,
        slot_text="09:00",
        slot_end="10:00",
        pinned=session.pins.pinned.forecast if session.pins.pinned is not None else None,
    )
    return dataclasses.replace(state, **changes)


def taken(session: Session, layer: Layer, state: MapState, bundle: Path) -> HexagonMap | None:
    """The picture; None where it is refused, by the offer and by the function itself."""
    try:
        made = layer_picture(layer, state, session.draft, bundle, "Asia/Kolkata")
    except InputError:
        assert refusal_of(layer, state)
        return None
    assert not refusal_of(layer, state)
    return made


def test_every_layer_in_relation_values(qtbot: QtBot, tmp_path: Path) -> None:
    session, bundle = planned_session(qtbot, tmp_path / "data"), make_bundle(tmp_path)
    session.pins.pin()
    edit(qtbot, session, threshold=1)
    state = state_of(session)
    made = {layer.key for layer in layers() if taken(session, layer, state, bundle) is not None}
    assert made == RELEASED
    assert not any(is_confidential(layer, state) for layer in layers() if layer.key in made)
    practice = dataclasses.replace(state, practice=True)
    assert all(taken(session, layer, practice, bundle) is None for layer in layers())
    before = dataclasses.replace(state, release=None)
    assert all(taken(session, layer, before, bundle) is None for layer in layers())


def test_a_picture_says_nothing_of_what_is_chosen_in_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    """It is of a bundle: whoever sees it has no window."""
    session, bundle = planned_session(qtbot, tmp_path / "data"), make_bundle(tmp_path)
    released = next(layer for layer in layers() if layer.key == "released-mean")
    alone = taken(session, released, state_of(session), bundle)
    assert alone is not None
    assert taken(session, released, state_of(session, otherwise=True, still=(7, 8)), bundle) == alone


def test_every_layer_in_relation_user(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    state = state_of(session, release=None, slot_text="09:00")
    made = {
        layer.key: picture
        for layer in layers()
        if (picture := taken(session, layer, state, tmp_path)) is not None
    }
    assert set(made) == {"selected", "typical-error"}
    assert "without any record" in str(made["typical-error"].notes)
    forecast = session.forecast
    assert forecast is not None
    told = dataclasses.replace(state, pinned=dataclasses.replace(forecast, protects_presence=False))
    assert all(taken(session, one, told, tmp_path) is None for one in layers() if one.key == "pin-difference")


def test_the_kind_of_day_is_said_in_the_language_of_the_picture(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    session = user_session(qtbot, tmp_path)
    (errors,) = (layer for layer in layers() if layer.key == "typical-error")
    state = state_of(session, release=None, labels=("UP", "weekend"), groups=("direction", "day_kind"))
    with spoken(qapp, catalogue_of("hi")):
        picture = taken(session, errors, state, tmp_path)
    assert picture is not None
    assert picture.subtitle.endswith("UP, सप्ताहांत")


def test_a_picture_holds_the_released_hexagons_and_no_other(qtbot: QtBot, tmp_path: Path) -> None:
    session, bundle = planned_session(qtbot, tmp_path / "data"), make_bundle(tmp_path)
    (mean,) = (layer for layer in layers() if layer.key == "released-mean")
    state = state_of(session)
    picture = layer_picture(mean, state, session.draft, bundle, "")
    assert state.number is not None
    cells = {cell for row in state.number.query.rows for cell in row.hexagons}
    assert cells == set(CELLS)
    assert {tuple(one.ring) for one in picture.hexagons} == {h3.cell_to_boundary(cell) for cell in cells}
    assert not {h3.cell_to_boundary(cell) for cell in state.overview.hexagons} & {
        tuple(one.ring) for one in picture.hexagons
    }


def test_it_says_who_publishes_it_and_what_it_costs(qtbot: QtBot, tmp_path: Path) -> None:
    session, bundle = planned_session(qtbot, tmp_path / "data"), make_bundle(tmp_path)
    facts = bundle_values(bundle).facts
    assert facts is not None
    (mean,) = (layer for layer in layers() if layer.key == "released-mean")
    picture = layer_picture(mean, state_of(session), session.draft, bundle, "")
    told = " ".join(picture.notes)
    for text in (
        facts.publisher,
        facts.licence,
        facts.published_on,
        facts.release,
        f"epsilon {facts.epsilon}",
    ):
        assert text in told
    assert picture.title == facts.title
    assert picture.subtitle.endswith(f"09:00 to 10:00 ({facts.zone})")
    assert (picture.legend, picture.unit) == ("Released mean speed", "km/h")


def test_a_bundle_of_its_own(tmp_path: Path) -> None:
    values = bundle_values(make_bundle(tmp_path))
    picture = bundle_picture(values, "10:00", "11:00")
    assert {one.fill for one in picture.hexagons} == {0, "suppressed"}
    assert values.facts is not None
    practice = dataclasses.replace(values, facts=dataclasses.replace(values.facts, practice="PRACTICE"))
    for refused in (practice, dataclasses.replace(values, facts=None)):
        with pytest.raises(InputError, match="There is no picture"):
            bundle_picture(refused, "10:00", "11:00")
