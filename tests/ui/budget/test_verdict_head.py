"""ui.budget.verdict_head: the word is large, and of what it is the verdict stands small at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.advice.usefulness import Usefulness
from tests.ui.inked import inked
from tests.ui.languages import spoken
from ui.budget.verdict_head import VerdictHead
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of


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


def test_no_sign_of_a_hindi_word_is_cut_off(qapp: QApplication, qtbot: QtBot, theme: Theme) -> None:
    """The strokes above the words for rough and no use ended at the upper edge."""
    assert theme.colours
    with spoken(qapp, catalogue_of("hi")):
        head = VerdictHead()
        qtbot.addWidget(head)
        for word in (Usefulness.ROUGH, Usefulness.NO_USE):
            head.show_verdict(word)
            head.resize(400, head.sizeHint().height())
            rows = inked(head, 1)
            assert "#" not in rows[0] + rows[-1], head.text
