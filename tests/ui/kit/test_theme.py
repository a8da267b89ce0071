"""ui.kit.theme: light and dark, readable in both, with every picture that is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QListWidgetItem
from pytestqt.qtbot import QtBot

from ui.kit.style_sheet import style_sheet
from ui.kit.theme import DARK, LIGHT, Colours, Mode, Theme, qt_palette

THEMES = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
NAMES = [field.name for field in fields(Colours) if field.name != "dark"]


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp, Mode.LIGHT)
    yield made
    made.set_mode(Mode.LIGHT)


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_yardstick_is_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@THEMES
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("text", "surface"),
        ("muted", "surface"),
        ("text", "window"),
        ("muted", "window"),
        ("text", "raised"),
        ("text", "accent_soft"),
        ("muted", "accent_soft"),
        ("accent", "surface"),
        ("on_accent", "accent"),
        ("good", "surface"),
        ("warning", "surface"),
        ("bad", "surface"),
        ("warning", "warning_soft"),
        ("text", "warning_soft"),
    ],
)
def test_text_can_be_read(colours: Colours, text: str, ground: str) -> None:
    assert contrast(getattr(colours, text), getattr(colours, ground)) >= 4.5


@THEMES
def test_every_colour_is_written_in_full(colours: Colours) -> None:
    for name in NAMES:
        assert re.fullmatch(r"#[0-9a-f]{6}", getattr(colours, name)), name


@THEMES
@pytest.mark.parametrize("part", ["outline", "accent", "ticked", "good", "warning", "bad"])
def test_what_is_no_text_can_be_seen(colours: Colours, part: str) -> None:
    """Borders of fields, ticks, rings and signs (WCAG 1.4.11)."""
    for ground in ("surface", "window", "raised"):
        assert contrast(getattr(colours, part), getattr(colours, ground)) >= 3
    assert contrast("#ffffff", colours.ticked) >= 3


@THEMES
def test_the_palette_has_the_theme_s_colours(colours: Colours) -> None:
    palette = qt_palette(colours)
    assert palette.color(QPalette.ColorRole.Window) == QColor(colours.window)
    assert palette.color(QPalette.ColorRole.PlaceholderText) == QColor(colours.muted)
    assert palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == QColor(colours.muted)


def test_switching_changes_the_application_and_is_told(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    for mode, colours in ((Mode.DARK, DARK), (Mode.LIGHT, LIGHT)):
        with qtbot.waitSignal(theme.changed):
            theme.set_mode(mode)
        assert theme.colours is colours
        assert theme.mode is mode
        assert qapp.palette().color(QPalette.ColorRole.Base) == QColor(colours.surface)


def test_another_theme_is_another_palette_and_no_other_style_sheet(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    """Qt takes seconds to apply a style sheet to a window that is built."""
    sheet = qapp.styleSheet()
    assert sheet == style_sheet()
    seen, hidden = QLineEdit(), QLineEdit()
    for widget in (seen, hidden):
        qtbot.addWidget(widget)
        widget.resize(60, 30)
    seen.show()
    hidden.ensurePolished()
    for mode, colours in ((Mode.DARK, DARK), (Mode.LIGHT, LIGHT)):
        theme.set_mode(mode)
        qtbot.waitUntil(lambda: not theme.polishing)
        assert qapp.styleSheet() == sheet
        for widget in (seen, hidden):
            assert widget.updatesEnabled()
            assert widget.grab().toImage().pixelColor(30, 15).name() == colours.surface


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_boxes_to_tick_in_a_list_are_seen(qtbot: QtBot, theme: Theme, mode: Mode) -> None:
    """Qt's own frame of an open box is black, also on black."""
    theme.set_mode(mode)
    rows = QListWidget()
    qtbot.addWidget(rows)
    for name, state in (("on", Qt.CheckState.Checked), ("off", Qt.CheckState.Unchecked)):
        item = QListWidgetItem(name, rows)
        item.setCheckState(state)
    rows.resize(120, 80)
    rows.show()
    qtbot.waitUntil(lambda: not theme.polishing)
    image, seen = rows.viewport().grab().toImage(), []
    for row in range(rows.count()):
        place = rows.visualItemRect(rows.item(row))
        line = range(place.left(), place.left() + 22)
        seen.append({image.pixelColor(at, place.center().y()).name() for at in line})
    assert theme.colours.ticked in seen[0]
    assert max(contrast(colour, theme.colours.surface) for colour in seen[1]) >= 3
    rows.close()


def test_choosing_the_same_again_is_quiet(qtbot: QtBot, theme: Theme) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_mode(Mode.LIGHT)


def test_the_system_s_change_counts_only_when_the_system_was_chosen(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    scheme = qapp.styleHints().colorScheme()
    with qtbot.assertNotEmitted(theme.changed):
        qapp.styleHints().colorSchemeChanged.emit(scheme)
    theme.set_mode(Mode.SYSTEM)
    assert theme.colours in (LIGHT, DARK)
    with qtbot.waitSignal(theme.changed):
        qapp.styleHints().colorSchemeChanged.emit(scheme)
