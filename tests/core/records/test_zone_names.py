"""core.records.zone_names: one zone under its several names."""

from __future__ import annotations

import numpy as np
import pytest

from core.records.zone_names import names_of_zone
from core.records.zones import known_zones, main_zones, offsets_of, require_zone
from tests.records import instant


@pytest.mark.parametrize(
    ("name", "main"),
    [
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("US/Eastern", "America/New_York"),
        ("Europe/Kiev", "Europe/Kyiv"),
        ("Etc/UTC", "UTC"),
        ("Europe/Oslo", "Europe/Oslo"),  # another country with the clock of Berlin
        ("EST", "EST"),
    ],
)
def test_a_zone_is_read_under_its_main_name(name: str, main: str) -> None:
    assert require_zone(name) == main
    assert main in main_zones()
    assert (name in main_zones()) == (name == main)
    assert name in names_of_zone(main)


def test_the_main_name_has_the_same_clock() -> None:
    ends = instant("2000-01-01T00:00:00Z"), instant("2036-01-01T00:00:00Z")
    for name in known_zones() - set(main_zones()):
        found, main = offsets_of(name, *ends), offsets_of(require_zone(name), *ends)
        assert np.array_equal(found.starts, main.starts), name
        assert np.array_equal(found.offset_ms, main.offset_ms), name
