"""ui.data.unit_rows: two units and their dates in a form of a low screen's width."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QStyle, QStyleOptionFrame
from pytestqt.qtbot import QtBot

from core.clean.mapping import UnitRange
from tests.ui.user_actions import show
from ui.data.unit_rows import UnitRows
from ui.kit.form_grid import EDITOR_WIDTH
from ui.kit.list_box import ListBox
from ui.kit.theme import Theme

_ROOM = EDITOR_WIDTH + 10 + 96
"""Of an editor, what stands between, and its reason, where the form is as narrow as it may be."""


def test_dates_and_units_fit_the_narrowest_form_and_are_read_whole(qtbot: QtBot, theme: Theme) -> None:  # noqa: ARG001
    rows = UnitRows()
    day = dt.date(2022, 12, 28)
    rows.show_units((UnitRange(unit="km/h", last=day), UnitRange(unit="m/s", first=day + dt.timedelta(1))))
    show(qtbot, rows, width=_ROOM, height=120)
    assert rows.minimumSizeHint().width() <= _ROOM
    for row in rows.rows:
        assert isinstance(row.unit, ListBox)
        assert row.unit.shown_text == row.unit.currentText()
        option = QStyleOptionFrame()
        row.last.initStyleOption(option)
        room: QRect = row.last.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, row.last)
        assert room.width() > row.last.fontMetrics().horizontalAdvance(str(day))
