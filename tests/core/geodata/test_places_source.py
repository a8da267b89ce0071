"""What a spec says of places."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.geodata.places_source import PlacesSource


@pytest.mark.parametrize("metres", [0, -5, 100_001])
def test_a_distance_that_names_nothing_or_everything_is_refused(metres: int) -> None:
    with pytest.raises(InputError) as caught:
        PlacesSource(file="a", name_field="name", within_m=metres)
    assert caught.value.where == "release.places.within_m"


def test_the_file_lies_beside_the_spec() -> None:
    assert PlacesSource(file="maps/a.gpkg", name_field="n").path(Path("spec")) == Path("spec/maps/a.gpkg")
