"""ui.session.own_layers: layers are read beside the window, name hexagons, and never break a project."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.geodata.map_layer import MapLayer
from core.system.paths import resources
from tests.geojson import feature, write_geojson
from tests.layer_files import picture, write_mbtiles
from tests.ui.small_city import PLACES, TIMEOUT, loaded_session
from ui.kit.jobs import any_running, cancel_all, wait_for_all
from ui.session import own_layers
from ui.session.own_layers import OwnLayers
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return loaded_session(qtbot, tmp_path)


def write_stops(path: Path, *names: str) -> Path:
    stops = [
        feature({"type": "Point", "coordinates": [longitude, latitude]}, {"name": name, "ref": number})
        for number, (name, (latitude, longitude)) in enumerate(zip(names, PLACES, strict=False))
    ]
    return write_geojson(path, {"type": "FeatureCollection", "features": stops})


def put(qtbot: QtBot, session: Session, *layers: MapLayer) -> OwnLayers:
    """Give the session these layers, and wait until they are read."""
    own = session.own_layers
    own.edit("Add", layers)
    settle(qtbot, own)
    return own


def settle(qtbot: QtBot, own: OwnLayers) -> None:
    qtbot.waitUntil(
        lambda: not own.busy and not own._naming.running and not own._indexing.running, timeout=TIMEOUT
    )


def test_a_layer_of_places_names_the_hexagons_and_takes_the_names_away_again(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    layer = MapLayer(
        file=write_stops(tmp_path / "a.geojson", "Udhna", "Adajan"), name_field="name", places=True
    )
    own = put(qtbot, session, layer)
    assert set(own.places.values()) == {"near Udhna", "near Adajan"}
    assert own.index is not None
    assert [place.name for place in own.index.completions("ud")] == ["Udhna"]
    session.forecast_changed.emit()
    assert not any_running(), "what has its names is not named again"
    cell = next(iter(own.places))
    session.undo_stack.undo()
    assert own.layers == ()
    assert own.place_of(cell) == ""
    session.undo_stack.redo()
    settle(qtbot, own)
    assert own.place_of(cell).startswith("near ")
    put(qtbot, session, dataclasses.replace(layer, within_m=1))
    assert own.places == {}


def test_names_of_a_layer_that_is_let_go_do_not_come_after(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, names = threading.Event(), own_layers._names
    monkeypatch.setattr(own_layers, "_names", lambda *asked: (gate.wait(10), names(*asked))[1])
    own = session.own_layers
    own.edit(
        "Add", (MapLayer(file=write_stops(tmp_path / "a.geojson", "Udhna"), name_field="name", places=True),)
    )
    qtbot.waitUntil(lambda: own._naming.running, timeout=TIMEOUT)
    session.undo_stack.undo()
    gate.set()
    assert wait_for_all(10)
    QApplication.processEvents()
    assert own.places == {}


def test_only_a_layer_that_is_marked_names_hexagons(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    own = put(qtbot, session, MapLayer(file=write_stops(tmp_path / "a.geojson", "Udhna"), name_field="name"))
    assert own.places == {}
    assert own.index is not None, "it can be searched all the same"


def test_a_layer_that_is_gone_is_freed_a_few_shapes_at_a_time(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_layers, "_FREED_TOGETHER", 1)
    layer = MapLayer(file=write_stops(tmp_path / "a.geojson", "Udhna", "Adajan"), name_field="name")
    own = put(qtbot, session, layer)
    content = own.content(layer)
    assert content is not None
    assert content.features is not None
    shapes = content.features.parts.shapes
    del content
    own.edit("Remove", ())
    settle(qtbot, own)
    qtbot.waitUntil(lambda: not any_running(), timeout=TIMEOUT)
    assert shapes.tolist() == [None, None]


def test_a_file_that_is_gone_says_so_and_leaves_the_others(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    gone = MapLayer(file=tmp_path / "none.gpkg")
    there = MapLayer(file=write_mbtiles(tmp_path / "a.mbtiles", {(0, 0, 0): picture()}))
    own = put(qtbot, session, gone, there)
    error = own.error(gone)
    assert isinstance(error, InputError)
    assert error.where == str(gone.file)
    assert own.content(gone) is None
    content = own.content(there)
    assert content is not None
    assert content.tiles is not None
    assert session.draft.layers == (gone, there), "the project keeps both"


def test_another_look_reads_nothing_anew(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    layer = MapLayer(file=write_stops(tmp_path / "a.geojson", "Udhna"), name_field="name")
    own = put(qtbot, session, layer)
    before = own.content(layer)
    faint = dataclasses.replace(layer, opacity=0.3, over=True)
    own.edit("Change", (faint,))
    assert not own.busy
    assert own.content(faint) is before
    other = dataclasses.replace(layer, name_field="ref")
    put(qtbot, session, other)
    after = own.content(other)
    assert before is not None
    assert after is not None
    assert after.features is not None
    assert after.features.names == ("0",)
    assert after.key != before.key


def test_reading_can_be_stopped(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    layer = MapLayer(file=write_stops(tmp_path / "a.geojson", *["x"] * 3))
    session.own_layers.edit("Add", (layer,))
    session.own_layers.cancel()
    settle(qtbot, session.own_layers)
    own = session.own_layers
    assert own.content(layer) is not None or isinstance(own.error(layer), InputError)


def test_the_sample_s_layers_go_with_the_sample(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    mine = MapLayer(file=write_stops(tmp_path / "a.geojson", "Udhna"))
    sample = MapLayer(file=resources() / "sample" / "surat-synthetic-places.geojson")
    put(qtbot, session, mine, sample)
    assert session.source is not None
    with qtbot.waitSignal(session.data_changed, timeout=TIMEOUT):
        session.load(session.source)
    assert session.draft.layers == (mine,)
    cancel_all()
    assert wait_for_all(30)


def test_going_back_to_what_was_pinned_leaves_the_map_as_it_is(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    session.pins.pin()
    layer = MapLayer(file=write_stops(tmp_path / "a.geojson", "Udhna"))
    put(qtbot, session, layer)
    session.pins.take_pinned()
    assert session.draft.layers == (layer,)
