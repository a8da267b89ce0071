"""ui.distributions.hours_canvas: hours within the window are told apart from the others."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from tests.ui.contrasts import LEAST, contrast, painted
from ui.distributions.hours_canvas import HoursCanvas
from ui.kit.theme import DARK, LIGHT, Colours


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_the_window_s_hours_are_told_apart_without_their_hue(qtbot: QtBot, colours: Colours) -> None:
    canvas = HoursCanvas("Hour")
    qtbot.addWidget(canvas)
    canvas.resize(600, 300)
    canvas.set_colours(colours)
    canvas.show()
    qtbot.waitExposed(canvas)
    canvas.show_hours(np.full(24, 10.0), np.arange(24) < 12, "Records", [""] * 24)

    def seen(hour: float, height: float) -> tuple[float, float]:
        at = canvas._plot.mapFromScene(canvas._item.getViewBox().mapViewToScene(QPointF(hour, height)))
        return at.x(), at.y()

    qtbot.waitUntil(lambda: painted(canvas, *seen(6.5, 5)).name() == colours.accent)
    inside, outside = painted(canvas, *seen(6.5, 5)), painted(canvas, *seen(18.5, 5))
    assert contrast(inside, outside) >= LEAST
    x, y = seen(18.1, 5)
    assert max(contrast(painted(canvas, x + step, y), outside) for step in (-1, 0, 1)) >= LEAST
