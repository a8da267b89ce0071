"""ui.data.import_texts: problems of column names as sentences of the language."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from core.assist.header_problems import header_problems
from tests.ui.languages import spoken
from ui.data.import_texts import blocked_text, header_text
from ui.language.translation import catalogue_of

_NAMES = ("plate", "speed", "speed")


def test_in_english_they_are_sentences() -> None:
    problems = header_problems(_NAMES)
    assert header_text(problems) == "! Column names: “speed” is there twice."
    assert blocked_text(problems, {"speed"}) == (
        "! A chosen column cannot be distinguished: “speed” is there twice. Choose another, or correct the "
        "first line."
    )


def test_a_danda_stands_right_behind_the_word(qapp: QApplication) -> None:
    problems = header_problems(_NAMES)
    with spoken(qapp, catalogue_of("hi")):
        for told in (header_text(problems), blocked_text(problems, {"speed"})):
            assert "दो बार है।" in told
            assert "\u00a0।" not in told
