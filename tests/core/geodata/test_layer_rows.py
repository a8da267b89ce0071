"""What stands in a file becomes what is drawn."""

from __future__ import annotations

import numpy as np
import shapely

from core.geodata.layer_rows import LayerRows
from core.geodata.shapes import to_lon_lat


def test_rows_are_drawn_in_metres_and_named_by_their_first_field() -> None:
    rows = LayerRows(
        pieces=[np.array([shapely.Point(7283, 2118), None], object)],
        cells=((7, "north"), (True, "south")),
        fields=("ward", "label"),
        system="EPSG:1",
        to_degrees=lambda positions: positions / 100,
    )
    features = rows.features()
    assert np.allclose(to_lon_lat(features.parts.bounds[:, :2]), [[72.83, 21.18]])
    assert features.names == ("7", "")
    assert features.remarks[0] == "1 of its features has no geometry and is not drawn."
    assert features.system == "EPSG:1"
