"""ui.parameters.relation_picture: what is solid, what is open, and what stands out."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from pytestqt.qtbot import QtBot

from core.privacy import Relation
from tests.ui.contrasts import painted
from ui.parameters.relation_picture import RelationPicture

_SCALE, _LEFT = 60 / 84, 8.0
"""Of the shapes' box to pixels, and where it begins."""


def colours(qtbot: QtBot, relation: Relation, *places: tuple[float, float]) -> list[str]:
    """Of places in the shapes' box, by name; `other` where two of them mix."""
    picture = RelationPicture(relation)
    qtbot.addWidget(picture)
    roles = (QPalette.ColorRole.Text, QPalette.ColorRole.Accent, QPalette.ColorRole.Base)
    named = {picture.palette().color(role).name(): role.name for role in roles}
    picture.setAutoFillBackground(True)
    ground = QPalette(picture.palette())
    ground.setColor(QPalette.ColorRole.Window, QColor("yellow"))
    picture.setPalette(ground)
    seen = (painted(picture, _LEFT + x * _SCALE, y * _SCALE) for x, y in places)
    return [named.get(one.name(), "bare" if one.name() == "#ffff00" else "other") for one in seen]


def test_a_bus_with_windows_a_board_and_a_clock(qtbot: QtBot) -> None:
    windows, door, board, clock, wheel = (18.5, 49), (57, 52), (95, 9.5), (20, 20), (20, 67)
    body, sky = (30, 60), (60, 20)
    found = colours(qtbot, Relation.VALUES, windows, door, board, clock, wheel, body, sky)
    assert found == ["Base"] * 5 + ["other", "bare"]


def test_a_taxi_that_is_there_and_a_car_that_may_have_been(qtbot: QtBot) -> None:
    taxi, wheel, perhaps, its_wheel = (28, 60), (19, 67), (82, 60), (73, 67)
    assert colours(qtbot, Relation.USER, taxi, wheel, perhaps, its_wheel) == ["other", "Base", "bare", "bare"]
