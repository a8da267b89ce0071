"""ui.shell.settings_dialog: nothing is kept before *Save*, and what is wrong is said in place."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from core.system.paths import Home
from tests.ui.user_actions import press, show
from ui.kit.theme import Mode, Theme
from ui.session.settings import GIGABYTE, Settings
from ui.shell.settings_dialog import SettingsDialog

_PADDING = 8
"""Pixels beside the text of a field."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(Home(tmp_path / "home"))


@pytest.fixture
def dialog(qtbot: QtBot, settings: Settings, theme: Theme) -> SettingsDialog:
    made = SettingsDialog(settings, theme)
    show(qtbot, made, width=600, height=500)
    return made


def _fill(dialog: SettingsDialog, folder: Path) -> None:
    dialog.texts["publisher"].setText("City of Example")
    dialog.texts["contact"].setText("opendata@city.example")
    dialog.licence.setCurrentText("CC0-1.0")
    dialog.folder.setText(str(folder / "bundles"))
    dialog.key.setText(str(folder / "office.pem"))
    dialog.theme.setCurrentIndex(dialog.theme.findData(Mode.DARK))
    dialog.language.setCurrentIndex(dialog.language.findData("en"))
    dialog.room.setValue(25)


def test_the_key_of_a_usual_home_is_read_whole(qtbot: QtBot, theme: Theme) -> None:
    home = Home(Path("/users/maria/.local/share/hexveil"))
    dialog = SettingsDialog(Settings(home), theme)
    show(qtbot, dialog)
    assert dialog.key.text() == str(home.default_key)
    inner = dialog.key.contentsRect().width() - 2 * _PADDING
    assert dialog.key.fontMetrics().horizontalAdvance(dialog.key.text()) <= inner


def test_what_is_saved_is_there_again(
    qtbot: QtBot, dialog: SettingsDialog, settings: Settings, theme: Theme, tmp_path: Path
) -> None:
    _fill(dialog, tmp_path)
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Save))
    assert [settings.publisher_text(name) for name in ("publisher", "contact", "licence")] == [
        "City of Example",
        "opendata@city.example",
        "CC0-1.0",
    ]
    assert settings.release_folder == tmp_path / "bundles"
    assert settings.key_file == tmp_path / "office.pem"
    assert (theme.mode, settings.theme) == (Mode.DARK, Mode.DARK)
    assert settings.cache_limit == 25 * GIGABYTE
    assert settings.language == "en"
    theme.set_mode(Mode.LIGHT)


def test_it_begins_at_the_top_and_tab_goes_down(dialog: SettingsDialog) -> None:
    assert dialog.focusWidget() is dialog.texts["publisher"]
    places = []
    widget: QWidget = dialog.texts["publisher"]
    while not places or widget is not dialog.texts["publisher"]:
        stops = widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if stops and not isinstance(widget.parentWidget(), QComboBox | QSpinBox):
            corner = widget.mapTo(dialog, widget.rect().center())
            places.append((corner.y() // 12, corner.x()))
        widget = widget.nextInFocusChain()
    assert len(places) >= 12
    assert places == sorted(places)


def test_a_long_path_is_read_whole_in_its_tip(dialog: SettingsDialog, settings: Settings) -> None:
    assert dialog.key.toolTip() == str(settings.key_file)
    dialog.key.setText("/elsewhere/office.pem")
    assert dialog.key.toolTip() == "/elsewhere/office.pem"


def test_cancel_and_a_path_that_is_none_keep_everything(
    qtbot: QtBot, dialog: SettingsDialog, settings: Settings, theme: Theme, tmp_path: Path
) -> None:
    _fill(dialog, tmp_path)
    dialog.key.setText("office.pem")
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Save))
    assert "not a whole path" in dialog.message.text
    assert dialog.isVisible()
    press(qtbot, dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel))
    assert not dialog.isVisible()
    assert settings.publisher_text("publisher") == ""
    assert theme.mode is Mode.LIGHT


def test_the_theme_that_it_tells_is_the_one_that_it_is_seen_in(
    qtbot: QtBot, dialog: SettingsDialog, theme: Theme
) -> None:
    theme.set_mode(Mode.DARK)
    told = Mode(dialog.theme.currentData())
    theme.set_mode(Mode.LIGHT)
    qtbot.waitUntil(lambda: not theme.polishing)
    assert (told, Mode(dialog.theme.currentData())) == (Mode.DARK, Mode.LIGHT)
