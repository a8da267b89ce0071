"""ui.budget.verdict_sign: a tick in a disc, a wave in a ring, a cross in a disc."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.advice.usefulness import Usefulness
from tests.ui.inked import inked
from ui.budget.verdict_sign import paint_verdict_sign
from ui.kit.theme import Theme

TICK = """
..............
....######....
..+########+..
..##########..
.############.
.########.###.
.#######.####.
.###.##.#####.
.####..######.
.############.
..##########..
..+########+..
....######....
..............
"""
WAVE = """
..............
....######....
..+########+..
..##+....+##..
.##+......+##.
.##........##.
.##+#########.
.#########+##.
.##.+..+#..##.
.##+......+##.
..##+....+##..
..+########+..
....######....
..............
"""
CROSS = """
..............
....######....
..+########+..
..##########..
.############.
.####.##.####.
.#####..#####.
.#####..#####.
.####.##.####.
.############.
..##########..
..+########+..
....######....
..............
"""


class Signed(QWidget):
    def __init__(self, usefulness: Usefulness) -> None:
        super().__init__()
        self._usefulness = usefulness
        self.setFixedSize(28, 28)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        paint_verdict_sign(painter, QRectF(2, 2, 24, 24), self._usefulness, self.palette())
        painter.end()


@pytest.mark.parametrize(
    ("usefulness", "seen"),
    [(Usefulness.GOOD, TICK), (Usefulness.ROUGH, WAVE), (Usefulness.NO_USE, CROSS)],
)
def test_signs_differ_in_form(qtbot: QtBot, theme: Theme, usefulness: Usefulness, seen: str) -> None:
    assert theme.colours
    sign = Signed(usefulness)
    qtbot.addWidget(sign)
    assert inked(sign, 2) == seen.split()
    rim = sign.grab().toImage().pixelColor(3, 14)
    assert (rim.green() > rim.red()) is (usefulness is Usefulness.GOOD), "green, else amber"


def test_what_is_painted_after_a_sign_looks_as_before(qtbot: QtBot) -> None:
    assert qtbot
    picture = QImage(28, 28, QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    painter.setPen(QColor("red"))
    painter.setBrush(QColor("blue"))
    for usefulness in Usefulness:
        paint_verdict_sign(painter, QRectF(2, 2, 24, 24), usefulness, QPalette())
        assert (painter.pen().color(), painter.brush().color()) == (QColor("red"), QColor("blue"))
    painter.end()
