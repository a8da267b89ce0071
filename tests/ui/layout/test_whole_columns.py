"""ui.layout.whole_columns: the right edge of a table cuts no figure in two."""

from __future__ import annotations

from itertools import accumulate

import pytest

from ui.layout.whole_columns import whole_columns


@pytest.mark.parametrize(
    ("room", "least", "widths"),
    [
        (200, [60, 70, 80, 90], [95, 105, 80, 90]),
        (211, [60, 70, 80, 90], [61, 70, 80, 90]),
        (300, [60, 70, 80, 90], [60, 70, 80, 90]),
        (311, [60, 70, 80, 90], [63, 73, 83, 92]),
        (50, [60, 70], [60, 70]),
        (50, [], []),
    ],
)
def test_whole_ones_share_what_is_left(room: int, least: list[int], widths: list[int]) -> None:
    assert whole_columns(room, least) == widths
    if least and room >= least[0]:
        assert room in accumulate(widths)
