"""The map of the sample's city ships under these names."""

from __future__ import annotations

from core.synthesize.map_names import PLACES, STREETS
from core.system.paths import resources


def test_the_files_ship() -> None:
    assert all((resources() / "sample" / name).is_file() for name in (STREETS, PLACES))
