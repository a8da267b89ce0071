"""ui.parameters.grid_row: an option in words; what a constant beats is not recommended."""

from __future__ import annotations

import datetime as dt

import pytest
from PySide6.QtGui import QFont, QFontMetrics

from core.advice.city_advice import GridOption
from core.city.noise_kind import NoiseKind
from core.hats.slots import ALL
from core.hats.window import build_window
from core.quantity import SPEED
from core.statistics.registry import require_statistic
from ui.parameters.grid_row import GridRow, grid_row, shown_gain, shown_title

DAY = dt.date(2022, 1, 3)


def row(
    raw: float, smoothed: float | None, *, noise: NoiseKind = NoiseKind.GAUSS, own: bool = False
) -> GridRow:
    option = GridOption(
        resolution=6,
        window=build_window(((DAY, DAY),), ("09:00", "21:00"), ALL),
        noise=noise,
        hats=1204,
        records=0.976,
        raw_error=raw,
        smoothed_error=smoothed,
        constant=7.0,
    )
    return grid_row(option, require_statistic("mean").of(SPEED).measures[0], own=own)


def test_the_better_error_is_told_with_its_gain() -> None:
    told = row(2.0, 1.4)
    assert (told.title, told.detail) == (
        "Resolution 6, one slot",
        "Gaussian, 1,204 hexagon slots (98\u00a0%)",
    )
    assert (told.error, told.gain) == ("≈ 1.40 km/h", "smoothed, 5.0×")
    assert told.recommended
    assert "Estimated typical error in half of the numbers: 2.00 km/h raw, 1.40 km/h smoothed" in told.spoken
    assert row(1.4, 2.0).gain == "5.0×", "a forecast does not say that raw numbers are better"


def test_without_smoothing_there_is_the_raw_error_alone() -> None:
    told = row(3.5, None, noise=NoiseKind.LAPLACE)
    assert told.detail.startswith("Laplace")
    assert told.gain == "2.0×"
    assert "smoothed" not in told.spoken


def test_what_a_constant_beats_is_not_recommended() -> None:
    told = row(9.0, 7.0)
    assert not told.recommended
    assert told.gain == "no better"
    assert "Not recommended: one constant for all hexagon slots is typically off by 7.00 km/h" in told.spoken


def test_the_draft_s_own_says_so() -> None:
    assert row(2.0, 1.4, own=True).spoken.startswith("Chosen now.")


@pytest.mark.usefixtures("qapp")
def test_a_narrow_row_tells_the_gain_alone_rather_than_cut_the_share() -> None:
    told, letters = row(2.0, 1.4), QFontMetrics(QFont())
    assert shown_gain(told, letters, 2000) == "smoothed, 5.0×"
    tight = letters.horizontalAdvance(told.detail + told.gain)
    assert shown_gain(told, letters, tight) == "5.0×"


@pytest.mark.usefixtures("qapp")
def test_a_narrow_row_does_without_the_mark_rather_than_cut_the_slots() -> None:
    told, letters = row(2.0, 1.4, own=True), QFontMetrics(QFont())
    assert shown_title(told, letters, 2000) == "✓ Resolution 6, one slot"
    tight = letters.horizontalAdvance(told.title)
    assert shown_title(told, letters, tight) == "Resolution 6, one slot"
    assert shown_title(row(2.0, 1.4), letters, 2000) == "Resolution 6, one slot"
