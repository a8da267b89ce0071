"""To degrees, by the reference system's own name, without a network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


_AXES = 'CS[ellipsoidal,2],AXIS["lat",north],AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]'
_OLD = (
    'GEOGCS["a",DATUM["b",SPHEROID["c",6377397,299.15]{grid}],PRIMEM["Greenwich",0],'
    'UNIT["degree",0.0174532925199433]{whole}]'
)
BOUND = (
    f'BOUNDCRS[SOURCECRS[GEOGCRS["a",DATUM["b",ELLIPSOID["c",6378137,298.257]],{_AXES}]],TARGETCRS[GEOGCRS['
    f'"WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],{_AXES}]],'
    'ABRIDGEDTRANSFORMATION["d",METHOD["NTv2",ID["EPSG",9615]],'
    'PARAMETERFILE["Latitude and longitude difference file","{path}"]]]'
)
NAMING_FILES = (
    "+proj=longlat +ellps=bessel +nadgrids={path} +no_defs +type=crs",
    "+proj=longlat +ellps=bessel +nadgrids=@null,{path} +no_defs +type=crs",
    "+proj=pipeline +step +proj=hgridshift +grids={path}",
    "+init={path}:1",
    BOUND,
    _OLD.format(grid=',EXTENSION["PROJ4_GRIDS","{path}"]', whole=""),
    _OLD.format(grid="", whole=',EXTENSION["PROJ4","+proj=longlat +ellps=bessel +nadgrids={path}"]'),
    '{{"type": "x", "path": "{path}"}}',
)


@pytest.mark.parametrize("text", NAMING_FILES)
def test_a_system_that_names_a_file_opens_none(text: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    tried = "from core.clean.projections import to_degrees; import numpy as np, sys; "
    tried += "print(to_degrees(sys.argv[1], 'layer.gpkg')(np.array([[7.0, 50.0]])))"
    done = subprocess.run(
        [sys.executable, "-c", tried, text.format(path=pipe)],
        capture_output=True,
        check=False,
        timeout=60,
        cwd=Path(__file__).parents[3],
    )
    assert b"which cannot be turned into degrees here" in done.stderr


def test_a_layer_that_names_no_system_is_refused_for_that() -> None:
    with pytest.raises(InputError, match="names no reference system"):
        to_degrees("", "layer.shp")


def test_web_mercator_without_a_grid_is_read() -> None:
    text = "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +units=m +nadgrids=@null +wktext +no_defs"
    project = to_degrees(text, "here")
    assert project is not None
    assert np.allclose(project(np.array([[8_107_400.0, 2_413_360.0]])), [[72.83, 21.18]], atol=0.01)


def test_nothing_is_ever_fetched() -> None:
    assert not is_network_enabled()
