"""What a spec may say of zones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.geodata.zones_source import ZonesSource


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
