"""ui.distributions.grid_checks: the boxes wrap where there is little room."""

from __future__ import annotations

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
