"""ui.parameters.periods_dialog: what is typed is checked by core, and said where it is wrong."""

from __future__ import annotations

from PySide6.QtWidgets import QTableWidgetItem
from pytestqt.qtbot import QtBot

from core.hats.slots import PeriodOfDay
from ui.parameters.periods_dialog import PeriodsDialog

PEAK = PeriodOfDay(9 * 60, 11 * 60, "peak")


def fill(dialog: PeriodsDialog, row: int, *texts: str) -> None:
    for column, text in enumerate(texts):
        dialog.table.setItem(row, column, QTableWidgetItem(text))


def test_periods_are_taken_where_core_takes_them(qtbot: QtBot) -> None:
    dialog = PeriodsDialog((PEAK,), ("09:00", "21:00"))
    qtbot.addWidget(dialog)
    assert dialog.table.verticalHeader().isHidden(), "numbers of rows say nothing"
    dialog.add.click()
    assert [dialog.table.item(1, column).text() for column in (1, 2)] == ["11:00", "21:00"]
    for wrong, words in (
        (("noon", "10:00", "12:00"), "overlap"),
        (("noon", "11:00", "22:00"), "outside the hours"),
        (("peak", "11:00", "12:00"), "two of the same name"),
        (("", "11:00", "12:00"), "name is empty"),
        (("noon", "11", "12:00"), "not a time of day"),
        (("night", "22:00", "02:00"), "ends before it starts"),
    ):
        fill(dialog, 1, *wrong)
        with qtbot.assertNotEmitted(dialog.chosen):
            dialog.take()
        assert words in dialog.message.text
        assert dialog.message.text.split("\n")[1] == "Periods", "where"
        assert dialog.isVisible() is False
    fill(dialog, 1, "noon", "11:00", "12:00")
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.take()
    assert chosen.args == [(PEAK, PeriodOfDay(11 * 60, 12 * 60, "noon"))]
    assert dialog.message.isHidden()


def test_a_period_is_removed(qtbot: QtBot) -> None:
    dialog = PeriodsDialog((PEAK,), ("09:00", "21:00"))
    qtbot.addWidget(dialog)
    dialog.add.click()
    dialog.table.setCurrentCell(1, 0)
    dialog.remove.click()
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.take()
    assert chosen.args == [(PEAK,)]
