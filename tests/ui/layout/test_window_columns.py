"""ui.layout.window_columns: four columns, and which of them are open."""

from __future__ import annotations

from ui.layout.window_columns import has_decide_beside, has_result_beside


def test_all_four_columns_are_open_from_1180_pixels_on() -> None:
    assert has_result_beside(1180)
    assert not has_result_beside(1179)
    assert has_decide_beside(911), "1366x768 at 150 %"
    assert not has_decide_beside(853)
