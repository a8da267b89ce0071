"""Coordinates as people type them."""

from __future__ import annotations

import pytest

from core.geodata.typed_position import typed_position


@pytest.mark.parametrize(
    "typed",
    [
        "21.18, 72.83",
        "21.18 72.83",
        " 21.18;72.83 ",
        "21.18N 72.83E",
        "72.83° E, 21.18° N",
        "21.18 n, 72.83 e",
    ],
)
def test_a_position_is_understood(typed: str) -> None:
    assert typed_position(typed) == (21.18, 72.83)


@pytest.mark.parametrize(
    ("typed", "position"),
    [("-33.9, -70.7", (-33.9, -70.7)), ("33.9 S, 70.7 W", (-33.9, -70.7)), ("0, 0", (0, 0))],
)
def test_the_other_half_of_the_earth(typed: str, position: tuple[float, float]) -> None:
    assert typed_position(typed) == position


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "Udhna",
        "8742d9d69ffffff",
        "21.18",
        "91, 0",
        "0, 181",
        "21 N, 72",
        "21 N, 72 N",
        "21 E, 72 E",
        "1e5, 2",
    ],
)
def test_anything_else_is_none(typed: str) -> None:
    assert typed_position(typed) is None
