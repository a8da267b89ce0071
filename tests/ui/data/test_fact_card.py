"""ui.data.fact_card: what both cards of the step Data share."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from ui.data.fact_card import FactCard, breakable
from ui.kit.labels import Prose


def test_it_is_marked_and_shows_what_it_is_given_as_plain_text(qtbot: QtBot) -> None:
    card = FactCard("A table", "for the office only")
    qtbot.addWidget(card)
    card._begin("city_buses.parquet", "where/city_buses.parquet", "12", "records")
    card._add("Zone", "<b>Asia/Kolkata</b>")
    shown = [part.text().replace("\u200b", "") for part in card.findChildren(QLabel)]
    facts = ("city_buses.parquet", "12", "records", "Zone", "<b>Asia/Kolkata</b>")
    assert sorted(shown) == sorted(("A table", "Confidential", *facts))
    assert {part.textFormat() for part in card.findChildren(Prose)} == {Qt.TextFormat.PlainText}


def test_a_name_may_break_after_a_mark_or_anywhere_if_it_has_none() -> None:
    assert breakable("a_b.c") == "a_\u200bb.\u200bc"
    assert breakable("x" * 20) == "x" * 16 + "\u200b" + "xxxx"
