"""Hours of service: a day, with room for buses that begin early and end late."""

from __future__ import annotations

from core.synthesize.service_hours import DAY_END, DAY_START, SHIFT_JITTER


def test_the_jitter_stays_within_one_day() -> None:
    assert 0 <= DAY_START - SHIFT_JITTER < DAY_END + SHIFT_JITTER < 24 * 3600


def test_most_of_the_service_lies_in_the_usual_window() -> None:
    inside = min(DAY_END, 21 * 3600) - max(DAY_START, 9 * 3600)
    assert 0.85 < inside / (DAY_END - DAY_START) < 0.95
