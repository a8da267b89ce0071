"""core.hats.larger_rows: a refusal proposes what can be changed, and only that."""

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from core.hats.groups import Group
from core.hats.larger_rows import larger_rows
from core.hats.places import HEXAGON, LABELLED, WHOLE, ZONED
from core.hats.slots import PeriodOfDay
from core.hats.window import Window

HOURLY = Window(
    date_ranges=((dt.date(2024, 3, 4), dt.date(2024, 3, 4)),), start=540, end=660, slot_minutes=60
)
ALL_DAY = dataclasses.replace(HOURLY, slot_minutes=120)
PEAKS = dataclasses.replace(
    HOURLY, slot_minutes=0, periods=(PeriodOfDay(540, 570, "early"), PeriodOfDay(600, 660, "late"))
)
GROUPED = dataclasses.replace(ALL_DAY, groups=(Group(name="way", labels=("UP", "DN")),))


@pytest.mark.parametrize(
    ("kind", "window", "proposed"),
    [
        (HEXAGON, HOURLY, "a coarser resolution or longer slots"),
        (HEXAGON, ALL_DAY, "a coarser resolution"),
        (ZONED, HOURLY, "a layer of larger zones or longer slots"),
        (LABELLED, PEAKS, "a column with fewer labels or longer periods"),
        (WHOLE, HOURLY, "longer slots"),
        (WHOLE, GROUPED, "fewer columns to group by"),
        (WHOLE, ALL_DAY, "more dates"),
    ],
)
def test_only_what_can_be_larger_is_proposed(kind: str, window: Window, proposed: str) -> None:
    assert larger_rows(kind, window) == proposed
