"""What a map is for those who hear it."""

from __future__ import annotations

from ui.web_map.map_texts import description
from ui.web_map.painting import SUPPRESSED_FILL, LegendClass, MapPainting


def test_the_map_is_described_by_its_classes_and_the_chosen_hexagon():
    painting = MapPainting(
        title="Mean speed",
        unit="km/h",
        confidential=False,
        classes=(LegendClass("0–20", "#000000"), LegendClass("20–40", "#ffffff")),
        fills={"a": 1, "b": 1, "c": SUPPRESSED_FILL},
        tooltips={"a": ("Market", "31 km/h")},
    )
    words = description(painting, "a")
    assert words.startswith(
        "Mean speed (km/h). Hexagons by class: 20–40: 2; suppressed: 1. Chosen: Market, 31 km/h. "
    )
    assert "Chosen" not in description(painting, None)
    assert description(None, "a") == "The table has the same hexagons, one per row."
