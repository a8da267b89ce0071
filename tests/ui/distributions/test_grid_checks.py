"""ui.distributions.grid_checks: the boxes wrap where there is little room."""

from __future__ import annotations

from itertools import pairwise

from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.distributions.grid_checks import GridChecks


def test_every_box_is_seen_in_a_narrow_column(qtbot: QtBot) -> None:
    checks = GridChecks()
    show(qtbot, checks, width=340, height=200)
    assert checks.width() == 340
    boxes = (*checks.resolutions.values(), *checks.lengths.values())
    assert all(checks.rect().contains(box.geometry().translated(box.parentWidget().pos())) for box in boxes)
    assert len({box.parentWidget().mapTo(checks, box.pos()).y() for box in checks.lengths.values()}) > 1


def test_boxes_of_a_row_stand_as_close_as_words(qtbot: QtBot) -> None:
    """The widest, below, does not part the numbers above it."""
    checks = GridChecks()
    show(qtbot, checks, width=400, height=200)
    boxes = list(checks.lengths.values())
    assert boxes[-1].y() > boxes[0].y(), "they need two rows here"
    for left, right in pairwise(boxes):
        if left.y() == right.y():
            assert 0 < right.x() - left.geometry().right() <= 12
