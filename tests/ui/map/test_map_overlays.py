"""ui.map.map_overlays: the page draws the analyst's own layers, offline, and names are never markup."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QUrl
from pytestqt.qtbot import QtBot

from core.geodata.map_layer import MapLayer
from tests.geojson import box, feature, polygon, write_geojson
from tests.layer_files import picture, write_mbtiles
from tests.ui.small_city import edit, loaded_session
from ui.kit.jobs import cancel_all, wait_for_all
from ui.kit.theme import Theme
from ui.map.map_overlays import dropped_layers
from ui.map.page import MapTab
from ui.session.session import Session

PAGE_MS = 15_000
MARKUP = ("<img src=x onerror='window.hit = 1'>", "<script>window.hit = 1</script>")
AREA = polygon(box(72.5, 20.8, 73.2, 21.6))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("layers")


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return loaded_session(qtbot, tmp_path)


@pytest.fixture
def tab(qtbot: QtBot, session: Session, theme: Theme) -> Iterator[MapTab]:
    made = MapTab(session, theme)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    edit(qtbot, session, threshold=3, resolution=6)
    qtbot.waitUntil(lambda: made.view.is_ready and not session.busy, timeout=PAGE_MS)
    yield made
    cancel_all()
    assert wait_for_all(30)
    guard, complaints = made.view.guard.blocked, made.view.complaints
    made.view.dispose()
    assert guard == [], "a request left the page"
    assert complaints == []


def ask(tab: MapTab, qtbot: QtBot, expression: str) -> Any:
    answers: list[str] = []
    tab.view._page.runJavaScript(f"JSON.stringify({expression})", answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=PAGE_MS)
    return json.loads(answers[0])


def wait_for(tab: MapTab, qtbot: QtBot, expression: str) -> None:
    qtbot.waitUntil(lambda: bool(ask(tab, qtbot, expression)), timeout=PAGE_MS)


DRAWN = """[...document.querySelectorAll('canvas.leaflet-tile')].map((canvas) => {
  const one = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  one.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
  return [...one.getImageData(0, 0, 1, 1).data].join();
})"""


def test_features_are_drawn_styled_hidden_and_ordered_without_a_reload(
    qtbot: QtBot, tab: MapTab, session: Session, folder: Path
) -> None:
    area = write_geojson(folder / "area.geojson", {"type": "FeatureCollection", "features": [feature(AREA)]})
    layer = MapLayer(file=area, colour="#ff0000", width=1.0)
    session.own_layers.edit("Add", (layer,))
    wait_for(tab, qtbot, f"{DRAWN}.includes('255,0,0,64')")
    green = dataclasses.replace(layer, colour="#00ff00", opacity=0.5, over=True)
    session.own_layers.edit("Change", (green,))
    wait_for(tab, qtbot, f"{DRAWN}.includes('0,255,0,64')")
    pane = "document.querySelector('[class*=hexveil-own]')"
    assert ask(tab, qtbot, f"[{pane}.style.opacity, {pane}.style.zIndex > 400]") == ["0.5", True]
    session.own_layers.edit("Hide", (dataclasses.replace(green, visible=False),))
    wait_for(tab, qtbot, f"{pane} === null")
    session.undo_stack.undo()
    session.undo_stack.undo()
    wait_for(tab, qtbot, f"{pane} !== null && {pane}.style.zIndex < 400")
    assert ask(tab, qtbot, "document.querySelectorAll('[class*=hexveil-own]').length") == 1


def test_names_are_written_as_text_and_never_run(
    qtbot: QtBot, tab: MapTab, session: Session, folder: Path
) -> None:
    stops = [
        feature({"type": "Point", "coordinates": [72.8, 21.1 + number / 10]}, {"name": name})
        for number, name in enumerate(MARKUP)
    ]
    path = write_geojson(folder / "stops.geojson", {"type": "FeatureCollection", "features": stops})
    session.own_layers.edit("Add", (MapLayer(file=path, name_field="name", labels=True, places=True),))
    written = "[...document.querySelectorAll('.hexveil-names span')].map((name) => name.textContent).sort()"
    qtbot.waitUntil(lambda: ask(tab, qtbot, written) == sorted(MARKUP), timeout=PAGE_MS)
    qtbot.waitUntil(lambda: bool(session.own_layers.places), timeout=PAGE_MS)
    cell = next(iter(session.own_layers.places))
    session.chosen.choose_hat(cell)
    qtbot.waitUntil(
        lambda: MARKUP[0][:4] in tab.card.place.text() or "script" in tab.card.place.text(), timeout=PAGE_MS
    )
    assert ask(tab, qtbot, "window.hit === undefined")
    assert ask(tab, qtbot, "document.querySelectorAll('.hexveil-names *:not(span)').length") == 0


def test_no_name_is_cut_in_half_by_the_edge_of_the_map(
    qtbot: QtBot, tab: MapTab, session: Session, folder: Path
) -> None:
    """Of two lines of places the first in sight are those at the upper and at the lower edge."""
    latitudes = [21.7 - number / 1000 for number in range(1000)]
    stops = [
        feature({"type": "Point", "coordinates": [longitude, latitude]}, {"name": name})
        for name, longitude, line in (("Down", 72.75, latitudes), ("Up", 72.85, reversed(latitudes)))
        for latitude in line
    ]
    path = write_geojson(folder / "lines.geojson", {"type": "FeatureCollection", "features": stops})
    session.own_layers.edit("Add", (MapLayer(file=path, name_field="name", labels=True),))
    boxes = """[...document.querySelectorAll('.hexveil-names span')]
        .map((name) => name.getBoundingClientRect()).map((box) => [box.top, box.bottom])"""
    qtbot.waitUntil(lambda: len(ask(tab, qtbot, boxes)) > 1, timeout=PAGE_MS)
    height = ask(tab, qtbot, "innerHeight")
    whole = [top >= 0 and bottom <= height for top, bottom in ask(tab, qtbot, boxes)]
    assert all(whole)


def test_pictures_are_shown_and_a_hole_lets_the_ground_through(
    qtbot: QtBot, tab: MapTab, session: Session, folder: Path
) -> None:
    path = write_mbtiles(folder / "base.mbtiles", {(zoom, 0, 0): picture() for zoom in range(12)})
    session.own_layers.edit("Add", (MapLayer(file=path),))
    images = "[...document.querySelectorAll('img.leaflet-tile-loaded')].map((image) => image.naturalWidth)"
    wait_for(tab, qtbot, f"{images}.length")
    assert set(ask(tab, qtbot, images)) <= {1, 256}


def test_a_file_is_dropped_on_the_map_and_one_that_is_broken_says_so(
    qtbot: QtBot, tab: MapTab, session: Session, folder: Path
) -> None:
    path = write_geojson(folder / "drop.geojson", {"type": "FeatureCollection", "features": [feature(AREA)]})
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    assert dropped_layers(data) == [path]
    tab.overlays.add_files(dropped_layers(data))
    qtbot.waitUntil(lambda: len(session.draft.layers) == 1, timeout=PAGE_MS)
    assert tab.overlays.panel.isVisible()
    (folder / "broken.gpkg").write_bytes(b"nothing")
    tab.overlays.add_files([folder / "broken.gpkg"])
    qtbot.waitUntil(lambda: not session.own_layers.busy and len(session.draft.layers) == 2, timeout=PAGE_MS)
    assert "GeoJSON" in tab.overlays.panel.problem.text()
    records = QMimeData()
    records.setUrls([QUrl.fromLocalFile(str(folder / "records.csv"))])
    assert dropped_layers(records) == []


def test_a_place_is_found_zoomed_to_and_its_hexagon_chosen(
    qtbot: QtBot, tab: MapTab, session: Session, folder: Path
) -> None:
    stops = [
        feature({"type": "Point", "coordinates": [72.8, latitude]}, {"name": name})
        for name, latitude in (("Gaménard", 21.2), ("Beside", 21.191))
    ]
    path = write_geojson(folder / "find.geojson", {"type": "FeatureCollection", "features": stops})
    session.own_layers.edit("Add", (MapLayer(file=path, name_field="name", labels=True),))
    qtbot.waitUntil(lambda: session.own_layers.index is not None, timeout=PAGE_MS)
    tab.search.setText("gamen")
    tab.search.returnPressed.emit()
    assert session.chosen.hat is not None
    ring = "document.querySelector('.hexveil-spot')"
    wait_for(tab, qtbot, f"{ring} !== null")
    name = "document.querySelector('.hexveil-names span')"
    wait_for(tab, qtbot, f"{name} !== null")
    box = "{}.getBoundingClientRect()"
    lower_edge, upper_edge = f"{box.format(ring)}.bottom", f"{box.format(name)}.top"
    wait_for(tab, qtbot, f"{upper_edge} >= {lower_edge} - 2 && {upper_edge} < {lower_edge} + 6")
    written = "[...document.querySelectorAll('.hexveil-names span')].map((one) => one.textContent)"
    assert ask(tab, qtbot, written) == ["Gaménard"]
    tab.search.clear()
    wait_for(tab, qtbot, f"{ring} === null")
    wait_for(tab, qtbot, f"{written}.length > 1")  # names are placed after the ring is gone
    assert ask(tab, qtbot, written) == ["Gaménard", "Beside"]
    wait_for(tab, qtbot, f"{name}.style.transform.endsWith('translate(-50%, -50%)')")
    chosen = session.chosen.hat[0]
    session.chosen.choose_hat(None)
    tab.search.go_to(chosen.upper())
    assert session.chosen.hat[0] == chosen
    told: list[str] = []
    session.noted.connect(told.append)
    tab.search.go_to("no such thing")
    assert "no such thing" in told[0]
    session.chosen.choose_hat(None)
    tab.search.go_to("48.2, 16.4")
    assert session.chosen.hat is None, "nothing is known there"


def test_the_badge_moves_out_from_under_the_panel(qtbot: QtBot, tab: MapTab) -> None:
    right = "document.querySelector('.hexveil-badge').getBoundingClientRect().right"
    wait_for(tab, qtbot, f"{right} > 0")
    before, panel = ask(tab, qtbot, right), tab.overlays.panel
    tab.overlays.button.setChecked(True)
    wait_for(tab, qtbot, f"{right} <= {panel.x() - tab.view._web.x()}")
    tab.overlays.button.setChecked(False)
    wait_for(tab, qtbot, f"{right} === {before}")


def test_the_scale_has_a_ground_of_its_own(qtbot: QtBot, tab: MapTab) -> None:
    """The same letters over bright hexagons and over the empty page."""
    ground = "getComputedStyle(document.querySelector('.leaflet-control-scale-line')).backgroundColor"
    assert "0.8" in ask(tab, qtbot, ground)
