"""Widgets below and beside each other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from ui.layout.boxes import in_column, in_row


def test_parts_stand_in_the_order_they_are_named_and_share_what_is_left(qtbot):
    around = QWidget()
    qtbot.addWidget(around)
    title, first, second, foot = (QLabel(text, around) for text in ("title", "first", "second", "foot"))
    pair = in_row(None, first, (second, 1), spacing=0)
    column = in_column(around, title, (pair, 1), 2, (foot, 0, Qt.AlignmentFlag.AlignRight), spacing=0)
    around.resize(300, 300)
    column.activate()
    assert column.contentsMargins().isNull()
    assert [column.stretch(number) for number in range(column.count())] == [0, 1, 2, 0]
    assert title.y() < first.y() == second.y() < foot.y()
    assert first.width() == first.sizeHint().width() < second.width()
    assert foot.geometry().right() == around.rect().right()
    assert foot.width() == foot.sizeHint().width()


def test_margins_are_none_those_named_or_those_of_the_style(qtbot):
    made = [QWidget() for _ in range(2)]
    for widget in made:
        qtbot.addWidget(widget)
    assert in_column(made[0], margins=(1, 2, 3, 4)).contentsMargins().top() == 2
    assert in_column(made[1], margins=None).contentsMargins().top() > 0
