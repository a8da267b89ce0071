"""ui.data.format_group: every encoding that is offered has a name that people know."""

from __future__ import annotations

import codecs

import pytest
from PySide6.QtWidgets import QApplication

from core.assist.format_options import ENCODINGS
from tests.ui.languages import spoken
from ui.data.format_group import FormatGroup, encoding_name
from ui.language.translation import catalogue_of

LETTERS = {"Cyrillic": "Ж", "Greek": "Ω", "Turkish": "ğ", "Hebrew": "ש", "Arabic": "ش", "Korean": "한"}


@pytest.mark.parametrize("code", ENCODINGS)
@pytest.mark.usefixtures("qapp")
def test_every_encoding_has_a_name_and_keeps_its_code(code: str) -> None:
    name = encoding_name(code)
    assert name.endswith(f" ({code})")
    letter = LETTERS.get(name.split(" (")[0], "e")
    assert codecs.decode(codecs.encode(letter, code), code) == letter


@pytest.mark.usefixtures("qapp")
def test_another_encoding_stands_for_itself() -> None:
    assert encoding_name("cp775") == "cp775"


def test_the_list_tells_names_and_gives_codes(qapp: QApplication) -> None:
    group = FormatGroup()
    group.set_encodings(("cp1252", "cp775"))
    shown = {
        group.encoding.itemText(one): group.encoding.itemData(one) for one in range(group.encoding.count())
    }
    assert shown["Western European (cp1252)"] == "cp1252"
    assert shown["Japanese (shift_jis)"] == "shift_jis"
    assert shown["cp775"] == "cp775"
    with spoken(qapp, catalogue_of("hi")):
        assert "Japanese" not in encoding_name("shift_jis")
