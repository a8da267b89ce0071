"""The map of the made-up city is what ships, and lies where its buses run."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.geodata.geojson_layer import read_geojson_layer
from core.geodata.shapes import POINT, to_lon_lat
from core.synthesize.map_names import PLACES, STREETS
from core.synthesize.street_map import write_city_maps
from core.synthesize.synthetic_records import SYNTHESIS_SEED
from core.system.paths import resources

MOST_TOGETHER = 300_000


def test_it_is_made_anew_as_it_ships_and_is_small(tmp_path: Path) -> None:
    made = write_city_maps(tmp_path, SYNTHESIS_SEED)
    shipped = [resources() / "sample" / name for name in (STREETS, PLACES)]
    assert [path.read_bytes() for path in made] == [path.read_bytes() for path in shipped]
    assert sum(path.stat().st_size for path in shipped) < MOST_TOGETHER


def test_every_street_and_place_has_a_name_of_its_own_and_lies_in_the_city() -> None:
    for name in (STREETS, PLACES):
        layer = read_geojson_layer(resources() / "sample" / name, "name")
        assert len(set(layer.names)) == layer.count == len(layer.parts)
        assert layer.remarks == ()
        assert (layer.parts.kind == POINT).all() == (name == PLACES)
        low, high = to_lon_lat(np.reshape(layer.parts.box, (2, 2)))
        assert (low > (72.6, 21.0)).all()
        assert (high < (73.05, 21.4)).all()
