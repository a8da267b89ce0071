"""ui.data.public_columns_box: usual names are proposed, never chosen; what cannot be published is said."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.ui.user_actions import LEFT, show
from ui.data.public_columns_box import PublicColumnsBox

COLUMNS = ("vehicle", "trip.route_id", "direction_id", "speed")


def box_of(qtbot: QtBot) -> PublicColumnsBox:
    box = PublicColumnsBox()
    show(qtbot, box, width=340, height=200)
    box.offer(COLUMNS)
    return box


def test_a_proposal_is_taken_by_a_press_and_given_up_by_another(qtbot: QtBot) -> None:
    box = box_of(qtbot)
    assert list(box.chips.buttons) == ["route", "direction"]
    assert box.named == ()
    with qtbot.waitSignal(box.changed):
        qtbot.mouseClick(box.chips.buttons["route"], LEFT)
    assert box.named == (("route", "trip.route_id"),)
    qtbot.mouseClick(box.chips.buttons["route"], LEFT)
    assert box.named == ()


def test_another_column_is_named_by_hand(qtbot: QtBot) -> None:
    box = box_of(qtbot)
    qtbot.mouseClick(box.add, LEFT)
    ((name, column),) = box.rows
    name.setText("Fleet Part")
    name.editingFinished.emit()
    assert "lower-case" in box.problem
    assert box.faulty is name
    name.setText("part")
    column.setCurrentText("vehicle")
    column.activated.emit(0)
    assert (box.problem, box.named) == ("", (("part", "vehicle"),))
    box.show_named((("route", "trip.route_id"), ("part", "vehicle")))
    assert box.named == (("part", "vehicle"), ("route", "trip.route_id"))
    assert box.chips.buttons["route"].isChecked()
    box.rows[1][0].setText("route")
    box.rows[1][0].editingFinished.emit()
    assert "the same public name" in box.problem
    box.offer(COLUMNS)
    assert box.named == ()
