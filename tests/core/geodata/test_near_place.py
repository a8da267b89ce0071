"""The name of a hexagon beside a place."""

from __future__ import annotations

from core.geodata.near_place import NEAR, near


def test_a_name_is_one_line_after_its_word() -> None:
    assert near("Udhna Junction") == "near Udhna Junction"
    assert near("Udhna\nJunction").startswith(NEAR)
    assert "\n" not in near("Udhna\nJunction")
