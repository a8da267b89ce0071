"""How a layer is to look, and what of it a spec says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from core.geodata.map_layer import MapLayer, from_top, layer_of_places, moved, without_those_below
from core.geodata.places_source import PlacesSource


@pytest.mark.parametrize(
    "look",
    [
        {"opacity": 1.1},
        {"opacity": float("nan")},
        {"width": 0},
        {"within_m": 0},
        {"colour": "red"},
        {"colour": "#12345"},
        {"colour": "#123456;}"},
    ],
)
def test_a_look_that_there_is_none_of_is_refused(look: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="look"):
        MapLayer(file=Path("a"), **look)


def test_a_layer_of_places_and_a_spec_say_the_same() -> None:
    source = PlacesSource(file=str(Path("/maps/a.gpkg")), table="stops", name_field="name", within_m=500)
    layer = layer_of_places(source)
    assert layer.names_hexagons
    assert layer.places_source == source
    assert not MapLayer(file=Path("a"), places=True).names_hexagons, "nothing names it"


def test_what_is_read_does_not_hang_on_the_look() -> None:
    assert MapLayer(file=Path("a"), opacity=0.5).contents == MapLayer(file=Path("a"), over=True).contents


def test_the_layers_of_a_folder_go_with_it() -> None:
    own, sample = MapLayer(file=Path("/city/a.gpkg")), MapLayer(file=Path("/program/sample/b.geojson"))
    assert without_those_below((own, sample), Path("/program/sample")) == (own,)


def names(layers: Iterable[MapLayer]) -> str:
    """`ab|c`: a and b over the hexagons, c under them."""
    layers = tuple(layers)
    assert layers == from_top(layers)
    over = [layer.file.name for layer in layers if layer.over]
    return "".join(over) + "|" + "".join(layer.file.name for layer in layers if not layer.over)


def test_a_layer_goes_up_and_down_past_the_others_and_past_the_hexagons() -> None:
    layers = tuple(MapLayer(file=Path(name), over=name in "ab") for name in "abcd")
    assert names(moved(layers, 1, up=True)) == "ba|cd"
    assert names(moved(layers, 1, up=False)) == "a|bcd"
    assert names(moved(layers, 2, up=True)) == "abc|d"
    assert names(moved(layers, 2, up=False)) == "ab|dc"
    assert moved(layers, 0, up=True) == layers
    assert moved(layers, 3, up=False) == layers
    assert names(from_top(layers[::-1])) == "ba|dc"
