"""Fields take their words from the declared keys, through the translator."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from core.catalogue import CORE, ENGLISH, Catalogue, CatalogueEntry
from core.privacy import Relation, Unit
from core.spec import SPEC
from tests.ui.languages import spoken
from ui.data.part_names import part_names
from ui.kit.form_grid import FormGrid
from ui.kit.spec_words import (
    caption_of,
    help_of,
    label_of,
    place_in_form,
    relation_texts,
    relation_word,
    unit_word,
    word_of,
)
from ui.language.translation import catalogue_of, speak


def _shouted(word: str) -> CatalogueEntry:
    return CatalogueEntry(text=word, context=CORE, said=(word.upper(),))


def test_words_are_those_of_the_table() -> None:
    path = "data.mapping.vehicle"
    assert label_of(path) == SPEC.key(path).label == "&Vehicle"
    assert (caption_of(path), word_of(path)) == ("Vehicle", "vehicle")
    assert help_of("data.mapping.position_order") == "Which coordinate comes first in position."


def test_every_relation_says_for_whom_it_is_and_what_becomes_public() -> None:
    words = relation_texts()
    assert set(words) == set(Relation)
    assert len({text.title for text in words.values()}) == len(words)
    assert "is public anyway" in words[Relation.VALUES].brief
    assert "is hidden" in words[Relation.USER].brief
    for told in (text.public for text in words.values()):
        assert "Public:" in told
        assert "protected" in told.lower()
    assert not any("later" in text.public or "arrives" in text.public for text in words.values())


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("query.parameters, percentiles", "Percentiles"),
        ("query.parameters.zoom", "Measure in two steps (zoom)"),
        ("query.parameters.fleet, query.parameters.records", "Fleet, Records of a vehicle"),
        ("data.zone", "Time zone"),
        ("a file.csv", "a file.csv"),
    ],
)
def test_a_place_in_a_spec_is_called_as_its_field_is(where: str, place: str) -> None:
    assert place_in_form(where) == place


def test_words_are_translated(qapp: QApplication) -> None:
    words = ("Ho&urs", "decimal mark")
    speak(qapp, Catalogue("hi", tuple(map(_shouted, words))))
    try:
        assert label_of("hats.hours") == "HO&URS"
        assert part_names()["decimal"] == "DECIMAL MARK"
    finally:
        speak(qapp, ENGLISH)


def test_a_row_says_what_its_key_is_called_and_means(qtbot: QtBot) -> None:
    grid = FormGrid()
    qtbot.addWidget(grid)
    editor = QLineEdit(grid)
    grid.add_key("zone", "data.zone", editor)
    (name,) = (label for label in grid.findChildren(QLabel) if label.buddy() is editor)
    assert (name.text(), editor.accessibleName()) == ("Time &zone", "Time zone")
    assert name.toolTip() == editor.toolTip() == help_of("data.zone")


def test_every_part_of_a_mapping_has_a_word() -> None:
    assert all(part_names().values())


def test_a_sentence_in_hindi_calls_unit_and_relation_by_a_hindi_name(qapp: QApplication) -> None:
    assert (unit_word(Unit.VEHICLE_DAY), relation_word(Relation.USER)) == (
        "a vehicle's day",
        "“Presence too”",
    )
    assert (unit_word(None), relation_word(None)) == ("", "")
    with spoken(qapp, catalogue_of("hi")):
        told = [*map(unit_word, Unit), *map(relation_word, Relation)]
    assert not any(letter.isascii() and letter.isalpha() for letter in "".join(told))
    assert len(set(told)) == len(told)
