"""ui.kit.labels: a figure and its unit stay together; what is read is what was written."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTextBoundaryFinder
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout
from pytestqt.qtbot import QtBot

from tests.ui.user_actions import show
from ui.kit.cards import flowing
from ui.kit.glossary import term_tip
from ui.kit.labels import label
from ui.kit.tips import in_lines

TEXT = "Smoothed, half are good to 1.57 km/h."


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (TEXT, "1.57"),
        ("Best is C = 65.", "C"),
        ("Smoothed, half are within 1.57 %", "1.57"),
        ("unit vehicle, relation values, delta 1e-6", "delta"),
        ("इकाई वाहन, संबंध केवल मान, delta 1e-6", "delta"),
    ],
)
def test_no_line_ends_inside_a_figure_with_its_unit_or_name(qtbot: QtBot, text: str, last: str) -> None:
    written, changed = label(text), label()
    changed.setText(text)
    for made in (written, changed):
        qtbot.addWidget(made)
        assert made.text() == text
        drawn = QLabel.text(made)
        finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Line, drawn)
        words, start = [], 0
        while (end := finder.toNextBoundary()) != -1:
            words.append(drawn[start:end])
            start = end
        assert words[-1].startswith(last)


def test_a_dialog_is_as_tall_as_its_texts(qtbot: QtBot) -> None:
    dialog = QDialog()
    layout = QVBoxLayout(dialog)
    for made in (label(f"{TEXT} {TEXT}", parent=dialog), flowing(f"{TEXT} {TEXT}", parent=dialog)):
        layout.addWidget(made)
    show(qtbot, dialog, width=200)
    assert layout.hasHeightForWidth()
    dialog.resize(200, layout.totalHeightForWidth(200))
    for made in dialog.findChildren(QLabel):
        assert made.height() >= made.heightForWidth(made.width())


def test_a_term_of_the_trade_is_explained_behind_the_mouse(qtbot: QtBot) -> None:
    text = label("48 hexagon slots selected")
    qtbot.addWidget(text)
    assert text.toolTip() == in_lines(term_tip("Hexagon slot"))
    text.setText("48 hexagon slots selected")
    assert text.toolTip() == in_lines(term_tip("Hexagon slot"))
    text.setText("Hats, and no m_UBX")
    assert text.toolTip() == ""
    text.setText("At most m_UB records in a hexagon slot")
    assert text.toolTip() == in_lines(f"{term_tip('Hexagon slot')}\n{term_tip('m_UB')}")
    text.setToolTip("of its own")
    text.setText("a hexagon slot")
    assert text.toolTip() == "of its own"


def test_unit_and_relation_are_explained_where_both_are_said(qtbot: QtBot) -> None:
    told = label("unit vehicle, relation values")
    qtbot.addWidget(told)
    assert told.toolTip() == in_lines(f"{term_tip('Unit')}\n{term_tip('Relation')}")
    told.setText("In relation user nothing is taken from the records.")
    assert told.toolTip() == in_lines(term_tip("Relation"))
    told.setText("A unit such as km/h; values correlate.")
    assert told.toolTip() == ""
