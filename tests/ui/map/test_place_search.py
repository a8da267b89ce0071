"""ui.map.place_search: a place, a hexagon's id or coordinates."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from core.geodata.geojson_layer import read_geojson_layer
from core.geodata.place_index import PlaceIndex, place_index
from tests.geojson import feature, write_geojson
from tests.ui.user_actions import show
from ui.map.place_search import PlaceSearch

CELLS = ("8742d9d69ffffff", "8742d9d68ffffff", "8842d9d681fffff")
NAMES = ("Bahnhof Zürich", "Zoo", "<b>Zebra</b>")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PlaceIndex:
    stops = [
        feature({"type": "Point", "coordinates": [8.5 + number, 47.4]}, {"name": name})
        for number, name in enumerate(NAMES)
    ]
    path = tmp_path_factory.mktemp("places") / "a.geojson"
    return place_index(
        [read_geojson_layer(write_geojson(path, {"type": "FeatureCollection", "features": stops}), "name")]
    )


class Found:
    """What a search brought."""

    def __init__(self, search: PlaceSearch) -> None:
        self.told: list[object] = []
        search.position_chosen.connect(
            lambda *position: self.told.append(tuple(round(one, 6) for one in position))
        )
        search.hexagon_chosen.connect(self.told.append)
        search.not_found.connect(lambda text: self.told.append(("not found", text)))


@pytest.fixture
def search(qtbot: QtBot, index: PlaceIndex) -> PlaceSearch:
    made = PlaceSearch(lambda: index, lambda: CELLS)
    show(qtbot, made, height=40)
    return made


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("zurich", (47.4, 8.5)),
        ("Zoo", (47.4, 9.5)),
        ("<b>Zebra</b>", (47.4, 10.5)),
        ("8742d9d68ffffff", "8742d9d68ffffff"),
        ("8742D9D69", "8742d9d69ffffff"),
        ("47.4, 8.5", (47.4, 8.5)),
        ("21.5 N 72.5 E", (21.5, 72.5)),
        ("nowhere", ("not found", "nowhere")),
    ],
)
def test_what_is_typed_is_found(search: PlaceSearch, typed: str, found: object) -> None:
    got = Found(search)
    search.setText(typed)
    search.returnPressed.emit()
    assert got.told == [found]


def test_nothing_typed_finds_nothing(search: PlaceSearch) -> None:
    got = Found(search)
    search.go_to("  ")
    assert got.told == []


def test_names_and_ids_are_offered_while_one_types(qtbot: QtBot, search: PlaceSearch) -> None:
    qtbot.keyClicks(search, "z")
    assert search._names.stringList() == ["Zoo", "<b>Zebra</b>", "Bahnhof Zürich"]
    search.clear()
    qtbot.keyClicks(search, "8742")
    assert search._names.stringList() == list(CELLS[:2])


def test_without_layers_ids_and_coordinates_are_found_all_the_same(qtbot: QtBot) -> None:
    bare = PlaceSearch(lambda: None, lambda: CELLS)
    qtbot.addWidget(bare)
    got = Found(bare)
    bare.go_to("8842")
    bare.go_to("zoo")
    assert got.told == [CELLS[2], ("not found", "zoo")]
