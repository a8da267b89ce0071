"""ui.data.position_text: four decimals and hemispheres, in the window's language."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.languages import spoken
from ui.data.position_text import position_text
from ui.language.translation import catalogue_of


@pytest.mark.parametrize(
    ("latitude", "longitude", "told"),
    [
        (21.1, 72.8, "21.1000° N, 72.8000° E"),
        (-33.45694, -70.64827, "33.4569° S, 70.6483° W"),
        (0.0, 0.0, "0.0000° N, 0.0000° E"),
    ],
)
def test_a_position_has_four_decimals_and_its_hemispheres(
    latitude: float, longitude: float, told: str
) -> None:
    assert position_text(latitude, longitude) == told


def test_the_letters_are_those_of_the_map_beside_it(qapp: QApplication) -> None:
    with spoken(qapp, catalogue_of("hi")):
        assert position_text(21.1, 72.8) == "21.1000° उ, 72.8000° पू"
