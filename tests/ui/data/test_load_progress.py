"""How far a load is."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar

from ui.data.load_progress import LoadProgress


def test_a_new_load_begins_at_nothing_whatever_the_last_one_said(qtbot):
    card = LoadProgress()
    qtbot.addWidget(card)
    card.begin("Loading a.csv")
    card.show_done(0.5, "Reading lines")
    bar = card.findChild(QProgressBar)
    assert bar.value() == 50
    assert {"Loading a.csv", "Reading lines"} <= {one.text() for one in card.findChildren(QLabel)}
    card.begin("Loading b.csv")
    assert bar.value() == 0
    assert [one.text() for one in card.findChildren(QLabel)] == ["Loading b.csv", ""]
