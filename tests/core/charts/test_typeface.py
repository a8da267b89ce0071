"""The typeface of pictures: lengths grow with letters and size."""

from __future__ import annotations

import pytest

from core.charts.typeface import text_width, typeface


def test_a_line_is_as_long_as_its_letters_and_grows_with_its_size() -> None:
    assert text_width("WWWW", 12.0) > 1.5 * text_width("iiii", 12.0)
    assert text_width("AB", 24.0) == pytest.approx(2.0 * text_width("AB", 12.0))
    assert text_width("", 12.0) == 0.0


def test_a_size_is_unpacked_once() -> None:
    assert typeface(31.0) is typeface(31.0)
