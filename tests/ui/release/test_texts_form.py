"""ui.release.texts_form: short texts that share a line are both read whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QStyleOptionFrame
from pytestqt.qtbot import QtBot

from core.catalogue import ENGLISH
from tests.ui.languages import spoken
from tests.ui.user_actions import show
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of
from ui.release.texts_form import TextsForm
from ui.session.session import Session

_COLUMN = 308
"""Pixels of the form in the left column of a window of 1366x768."""
_CURSOR = 4
"""Pixels that Qt leaves beside the text of a field."""


def room(field: QLineEdit) -> int:
    option = QStyleOptionFrame()
    field.initStyleOption(option)
    inner: QRect = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
    return inner.width() - _CURSOR


@pytest.mark.parametrize(("language", "version"), [("en", "1.12.10"), ("hi", "1.10.0")])
def test_a_later_version_and_the_licence_are_read_whole_side_by_side(
    qtbot: QtBot, qapp: QApplication, theme: Theme, session: Session, language: str, version: str
) -> None:
    assert theme.colours
    with spoken(qapp, ENGLISH if language == "en" else catalogue_of(language)):
        form = TextsForm(session)
        form.setFixedWidth(_COLUMN)
        show(qtbot, form)
        for key, text in (("version", version), ("licence", "CC-BY-4.0")):
            field = form.fields[key]
            assert field.fontMetrics().horizontalAdvance(text) <= room(field), key
