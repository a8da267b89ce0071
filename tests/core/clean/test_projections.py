"""To degrees, by the reference system's own name, without a network."""

from __future__ import annotations

import numpy as np
import pytest
from pyproj.network import is_network_enabled

from core.clean.projections import to_degrees
from core.errors import InputError


@pytest.mark.parametrize(
    "system", ["EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:EPSG::4326"]
)
def test_degrees_stay_as_they_are(system: str) -> None:
    assert to_degrees(system, "here") is None


@pytest.mark.parametrize(
    ("system", "east", "north", "longitude", "latitude"),
    [
        ("EPSG:3857", 8_107_400.0, 2_413_360.0, 72.83, 21.18),
        ("EPSG:32643", 274_700.0, 2_343_600.0, 72.83, 21.18),
        ("EPSG:27700", 530_000.0, 180_000.0, -0.127, 51.503),
    ],
)
def test_east_comes_before_north(
    system: str, east: float, north: float, longitude: float, latitude: float
) -> None:
    project = to_degrees(system, "here")
    assert project is not None
    assert np.allclose(project(np.array([[east, north]])), [[longitude, latitude]], atol=0.01)


@pytest.mark.parametrize(
    "system", ["", "EPSG:0", "EPSG:999999", "nonsense", "EPSG:5773", 'LOCAL_CS["a"]', "\0"]
)
def test_a_system_that_leads_nowhere_is_named(system: str) -> None:
    with pytest.raises(InputError, match="reference system") as caught:
        to_degrees(system, "layer.gpkg")
    assert caught.value.where == "layer.gpkg"
    assert caught.value.what.isprintable()


def test_nothing_is_ever_fetched() -> None:
    assert not is_network_enabled()
