"""Places are found by what a person can type."""

from __future__ import annotations

import pytest

from core.geodata import place_index as module
from core.geodata.geojson_layer import read_geojson_layer
from core.geodata.place_index import PlaceIndex, place_index, plain_letters
from tests.geojson import feature, write_geojson

NAMES = ("Udhna Junction", "Adajan Gam", "Gaménard", "Bahnhof Zürich-Süd", "St. Mary's", "उधना जंक्शन")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PlaceIndex:
    stops = [
        feature({"type": "Point", "coordinates": [72 + number / 10, 21]}, {"name": name})
        for number, name in enumerate((*NAMES, "Udhna Junction", ""))
    ]
    path = tmp_path_factory.mktemp("places") / "a.geojson"
    layer = read_geojson_layer(write_geojson(path, {"type": "FeatureCollection", "features": stops}), "name")
    return place_index([layer, layer])


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("udh", ["Udhna Junction"]),
        ("JUNCTION", ["Udhna Junction"]),
        ("gam", ["Gaménard", "Adajan Gam"]),
        ("zurich", ["Bahnhof Zürich-Süd"]),
        ("sud", ["Bahnhof Zürich-Süd"]),
        ("mary", ["St. Mary's"]),
        ("उधना", ["उधना जंक्शन"]),
        ("udhna  junction", ["Udhna Junction"]),
        ("unction", []),
        ("", []),
        ("...", []),
    ],
)
def test_any_word_s_beginning_is_found_without_accents(
    index: PlaceIndex, typed: str, names: list[str]
) -> None:
    assert [place.name for place in index.completions(typed)] == names


def test_each_name_is_there_once_where_it_lies(index: PlaceIndex) -> None:
    assert len(index.names) == len(index.degrees) == len(NAMES)
    (place,) = index.completions("udhna")
    assert (round(place.longitude, 6), round(place.latitude, 6)) == (72, 21)
    assert len(index.completions("a", most=0)) == 0


def test_words_are_sorted_block_by_block_as_if_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 2)
    words, of = module._sorted_words(NAMES)
    assert list(words) == sorted(words)
    assert {(word, int(number)) for word, number in zip(words, of, strict=True)} >= {
        ("gam", 1),
        ("gamenard", 2),
    }


def test_no_layer_is_an_empty_index() -> None:
    assert place_index([]).completions("a") == ()
    assert plain_letters("  Crème—BRÛLÉE ") == "creme—brulee"
