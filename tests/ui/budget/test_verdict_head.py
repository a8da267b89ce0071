"""ui.budget.verdict_head: the word is large, and of what it is the verdict stands small at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from core.advice.usefulness import Usefulness
from tests.ui.inked import inked
from ui.budget.verdict_head import VerdictHead
from ui.kit.theme import Theme


def test_of_what_it_is_the_verdict_is_said_in_small_letters(qtbot: QtBot, theme: Theme) -> None:
    assert theme.colours
    head = VerdictHead()
    qtbot.addWidget(head)
    head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    head.show_verdict(Usefulness.GOOD)
    assert (head.accessibleName(), head.accessibleDescription()) == ("Good", "how exact")
    head.resize(400, head.sizeHint().height())
    columns = [column for column, letters in enumerate(zip(*inked(head, 1), strict=True)) if "#" in letters]
    right = [column for column in columns if column > head.sizeHint().width() + 10]
    small = head.font()
    assert small.bold(), "the word itself"
    small.setPointSizeF(9)
    small.setBold(False)
    assert right[-1] >= 395
    assert abs(right[-1] - right[0] - QFontMetrics(small).horizontalAdvance("how exact")) <= 4
