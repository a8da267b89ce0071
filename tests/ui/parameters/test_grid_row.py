"""ui.parameters.grid_row: a recommended grid in words."""

from __future__ import annotations

import datetime as dt

import pytest
from PySide6.QtGui import QFont, QFontMetrics

from core.advice.city_advice import GridOption, GridRole
from core.city.noise_kind import NoiseKind
from core.hats.slots import ALL
from core.hats.window import build_window
from core.quantity import SPEED
from core.statistics.registry import require_statistic
from ui.parameters.grid_row import GridRow, grid_row, shown_title

DAY = dt.date(2022, 1, 3)


def row(
    raw: float, smoothed: float | None, *, roles: tuple[GridRole, ...] = (), own: bool = False
) -> GridRow:
    option = GridOption(
        resolution=6,
        window=build_window(((DAY, DAY),), ("09:00", "21:00"), ALL),
        noise=NoiseKind.GAUSS,
        hats=1204,
        empty=0.0,
        records=0.976,
        raw_error=raw,
        smoothed_error=smoothed,
        constant=7.0,
        good=2.0,
    )
    return grid_row(option, require_statistic("mean").of(SPEED).measures[0], roles, own=own)


def test_a_row_shows_its_error_and_verdict() -> None:
    shown = row(2.0, 1.4, roles=(GridRole.FINEST, GridRole.BALANCED))
    assert (shown.title, shown.detail) == (
        "Resolution 6, one slot",
        "Recommended, 1,204 hexagon slots (98\u00a0%)",
    )
    assert (shown.error, shown.verdict) == ("≈ 1.40 km/h", "Good")
    assert shown.recommended
    assert shown.spoken.startswith("Recommended, Finest. Resolution 6")
    assert "Estimated typical error in half of the numbers: 2.00 km/h raw, 1.40 km/h smoothed" in shown.spoken


def test_without_smoothing_there_is_the_raw_error_alone() -> None:
    shown = row(3.5, None)
    assert (shown.error, shown.verdict) == ("≈ 3.50 km/h", "Rough")
    assert shown.detail == "1,204 hexagon slots (98\u00a0%)"
    assert "smoothed" not in shown.spoken


def test_what_a_constant_beats_is_no_use() -> None:
    shown = row(9.0, 7.0)
    assert not shown.recommended
    assert shown.verdict == "No use"
    assert "No use: one number for the whole city is typically off by 7.00 km/h." in shown.spoken


def test_the_draft_s_own_says_so() -> None:
    assert row(2.0, 1.4, own=True).spoken.startswith("Chosen now.")


@pytest.mark.usefixtures("qapp")
def test_a_narrow_row_does_without_the_mark_rather_than_cut_the_slots() -> None:
    told, letters = row(2.0, 1.4, own=True), QFontMetrics(QFont())
    assert shown_title(told, letters, 2000) == "✓ Resolution 6, one slot"
    tight = letters.horizontalAdvance(told.title)
    assert shown_title(told, letters, tight) == "Resolution 6, one slot"
    assert shown_title(row(2.0, 1.4), letters, 2000) == "Resolution 6, one slot"
