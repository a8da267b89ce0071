"""Shapes are data: equal ones are equal, and nothing changes them."""

from __future__ import annotations

import dataclasses

import pytest

from core.charts.drawing import picture_of
from tests.core.charts.examples import LINES


def test_the_same_chart_gives_the_same_picture() -> None:
    assert picture_of(LINES) == picture_of(LINES)


def test_a_shape_cannot_be_changed() -> None:
    shape = picture_of(LINES).shapes[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        shape.colour = "#000000"  # type: ignore[misc]
