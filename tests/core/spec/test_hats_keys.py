"""core.spec.hats_keys: the grid and the window."""

from __future__ import annotations

from core.hats.cells import RESOLUTIONS
from core.hats.slots import SLOT_MINUTES
from core.spec.hats_keys import HATS
from core.spec.keys import SPEC, default_of
from core.spec.schema import Key


def test_the_grid_and_the_window_are_a_section_that_makes_another_request() -> None:
    assert SPEC.key("hats").inner is HATS
    without = [entry.name for entry in HATS.entries if isinstance(entry, Key) and not entry.place]
    # they are in the file of the zones, for the map alone, in the groups, and in the dates
    assert without == ["zones", "shapes", "labels", "day_kinds", "days"]


def test_defaults_are_allowed() -> None:
    assert default_of("hats.resolution") in RESOLUTIONS
    assert default_of("hats.slot_minutes") in SLOT_MINUTES
