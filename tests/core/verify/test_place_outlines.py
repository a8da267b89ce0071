"""Shapes of outlines that are none; whole bundles: tests/contracts/test_labelled_release.py."""

from __future__ import annotations

from typing import Any

import pytest

from core.verify.place_outlines import is_outline

RING = [[72.0, 21.0], [73.0, 21.0], [73.0, 22.0], [72.0, 21.0]]


@pytest.mark.parametrize(
    ("kind", "coordinates", "sound"),
    [
        ("Polygon", [RING], True),
        ("MultiPolygon", [[RING], [RING, RING]], True),
        ("Polygon", [[RING]], False),
        ("Polygon", [], False),
        ("MultiPolygon", [RING], False),
        ("Polygon", [RING[:-1]], False),
        ("Polygon", [[[72.0, 91.0], *RING[1:-1], [72.0, 91.0]]], False),
        ("Polygon", [[["72", 21.0], *RING[1:]]], False),
        ("Polygon", "RING", False),
        ("Point", [72.0, 21.0], False),
        (None, None, False),
    ],
)
def test_an_outline_is_of_closed_rings_on_the_earth(kind: Any, coordinates: Any, sound: bool) -> None:
    assert is_outline({"type": kind, "coordinates": coordinates}) is sound
