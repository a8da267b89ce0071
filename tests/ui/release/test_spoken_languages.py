"""ui.release.spoken_languages: a window in Hindi releases README and report in both languages."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from core.catalogue import ENGLISH
from core.draft.draft import Draft
from ui.language.translation import catalogue_of, speak
from ui.release.spoken_languages import spoken_in


def test_the_language_of_the_window_stands_beside_english(qapp: QApplication) -> None:
    both = Draft(languages=("en", "hi"))
    assert spoken_in(Draft()) == Draft()
    assert spoken_in(both) == both
    try:
        speak(qapp, catalogue_of("hi"))
        assert spoken_in(Draft()) == both == spoken_in(both)
    finally:
        speak(qapp, ENGLISH)
