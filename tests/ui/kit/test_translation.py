"""ui.kit.translation: a text is looked up under its context, in the language of the moment."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

from ui.kit.translation import translator


class _Shouting(QTranslator):
    """Tells under which context it is asked."""

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        del disambiguation, n
        return f"{text.upper()} ({context})"

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


@pytest.fixture
def shouting(qapp: QApplication) -> Iterator[None]:
    installed = _Shouting(qapp)
    qapp.installTranslator(installed)
    yield
    qapp.removeTranslator(installed)


def test_without_a_translation_a_text_is_itself() -> None:
    assert translator("Steps")("needs data") == "needs data"


def test_a_language_that_comes_later_is_spoken(request: pytest.FixtureRequest) -> None:
    translate = translator("Steps")
    request.getfixturevalue("shouting")
    assert translate("needs data") == "NEEDS DATA (Steps)"
