"""core.portal.shown_numbers: shares are read in percent with one decimal, all else as it stands in files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.portal.embedded_json import find_json
from core.portal.map_classes import class_limits
from core.portal.map_page import MAP_DATA_ID
from core.portal.shown_numbers import as_shown, shown_decimals, shown_number, shown_unit
from core.quantity import SPEED
from core.statistics.base import Measure
from core.statistics.cdf import STATISTIC as CDF
from core.statistics.share import VALUE_SHARE
from tests.builders import make_key
from tests.share_bundles import released, rows_of

OF_CURVE: Measure = CDF.of(SPEED).measures[0]


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0.0"), (123_456, "12.3"), (1_000_000, "100.0"), (-1_234, "-0.1")]
)
def test_a_share_is_read_in_percent(value: int, text: str) -> None:
    assert shown_number(value, VALUE_SHARE) == text
    assert (shown_unit(VALUE_SHARE), shown_decimals(VALUE_SHARE)) == ("%", 1)
    assert as_shown([value / 1e6, None], VALUE_SHARE) == [pytest.approx(value / 1e4, abs=1e-9), None]


def test_other_numbers_are_read_as_they_stand() -> None:
    """A distribution's too: pages of bundles that are out have it from 0 to 1."""
    assert shown_number(123, OF_CURVE) == f"{123 / 10**OF_CURVE.decimals:.{OF_CURVE.decimals}f}"
    assert (shown_unit(OF_CURVE), shown_decimals(OF_CURVE)) == ("", OF_CURVE.decimals)
    assert as_shown([0.5], OF_CURVE) == [0.5]


def test_map_and_report_of_shares_say_percent(tmp_path: Path) -> None:
    bundle = released(tmp_path, make_key(), "ranges = [[0, 10], [40, 65]]").bundle
    rows = rows_of(bundle, "speed_share_by_hat")
    document = find_json("map.html", (bundle / "map.html").read_bytes(), MAP_DATA_ID)
    (layer,) = document["tables"][0]["layers"]
    assert layer["unit"] == "%"
    for name, column in (("share_smoothed", layer), ("share", layer["raw"])):
        read = [float(row[name]) * 100 if row[name] else None for row in rows]
        assert column["value"] == [None if one is None else pytest.approx(one) for one in read]
    report = (bundle / "report.html").read_text("utf-8")
    assert "share, %" in report
    assert "The bar spans 0 to 100.0 %" in report
    assert "percentage points in the median hexagon slot" in report
    assert not re.search(r">[01]\.[0-9]{6}<", report)
    assert class_limits(VALUE_SHARE, SPEED, 65_000, [])[1] == 0.2
