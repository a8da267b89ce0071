"""What a spec may say of zones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.geodata.zones_source import Overlap, ZonesSource, overlaps_text


def source(**changed: Any) -> ZonesSource:
    return ZonesSource(**{"file": "wards.geojson", "id": "ward", "licence": "CC0-1.0", **changed})


def test_the_file_lies_beside_the_spec() -> None:
    assert source().path(Path("city")) == Path("city/wards.geojson")
    assert source(buffer_m=200).buffer_m == 200


def test_how_a_layer_is_called_does_not_decide_who_is_where() -> None:
    assert source().digest == source(file="other.geojson", name="label", licence="MIT").digest
    assert len({source(**one).digest for one in ({}, {"id": "a"}, {"buffer_m": 5}, {"sha256": "a"})}) == 4


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"buffer_m": -1}, "buffer_m"),
        ({"buffer_m": 201}, "buffer_m"),
        ({"id": " "}, "id"),
        ({"licence": "a\nb"}, "licence"),
    ],
)
def test_what_makes_no_zones_is_refused_by_its_key(changed: dict[str, Any], key: str) -> None:
    with pytest.raises(InputError) as caught:
        source(**changed)
    assert caught.value.where == f"hats.zones.{key}"


def test_overlaps_are_said_with_their_area_the_first_few() -> None:
    assert overlaps_text(()) == ""
    listed = [Overlap(first="1", second=str(number), square_metres=2_345_678) for number in range(2, 14)]
    text = overlaps_text(listed)
    assert text.startswith("of zones: 1 and 2 share 2.35 km2; 1 and 3 share")
    assert "and 2 more" in text
