"""ui.layout.window_columns: three columns, and when the right one is open."""

from __future__ import annotations

from ui.layout.window_columns import has_room_beside


def test_the_right_column_is_open_where_there_is_room() -> None:
    assert has_room_beside(1280)
    assert not has_room_beside(960)
