"""*Settings*: what new releases begin with, folder, key, look, room on disk, a path that is not whole."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QWidget,
)

from core.bundle.licences import KNOWN
from core.errors import InputError
from core.keys.signing_key import PRIVATE_SUFFIX
from ui.kit.cards import flowing
from ui.kit.labels import plain_label, set_look
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import help_of, label_of
from ui.kit.theme import Mode, Theme
from ui.kit.tips import in_lines
from ui.language.translation import languages, native_name, translator
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scrolling
from ui.layout.window_size import fit_content
from ui.session.settings import GIGABYTE, PUBLISHER_TEXTS, Settings

_tr = translator("Settings")

_WIDTH = 700
"""The paths of a usual home are read whole."""
_MOST_GIGABYTES = 2000


class SettingsDialog(QDialog):
    """Nothing is stored before *Save*."""

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._theme = theme
        self.setWindowTitle(self.tr("Settings"))
        self.texts = {name: QLineEdit(self) for name in PUBLISHER_TEXTS if name != "licence"}
        for name, field in self.texts.items():
            field.setText(settings.publisher_text(name))
            field.setToolTip(in_lines(help_of(f"release.{name}")))
        self.licence = ListBox(self)
        self.licence.setEditable(True)
        self.licence.addItems([licence.key for licence in KNOWN])
        self.licence.setCurrentText(settings.publisher_text("licence") or KNOWN[0].key)
        self.folder = QLineEdit(str(settings.release_folder), self)
        self.key = QLineEdit(str(settings.key_file), self)
        for field in (self.folder, self.key):
            field.setCursorPosition(0)
            field.setToolTip(in_lines(field.text()))  # longer than its field, as a rule
            field.textChanged.connect(lambda text, of=field: of.setToolTip(in_lines(text)))
        self.theme = ListBox(self)
        for mode, name in (
            (Mode.SYSTEM, self.tr("As the system")),
            (Mode.LIGHT, self.tr("Light")),
            (Mode.DARK, self.tr("Dark")),
        ):
            self.theme.addItem(name, mode)
        self._show_theme()
        theme.changed.connect(self._show_theme)
        self.language = ListBox(self)
        self.language.addItem(self.tr("As the system"), "")
        for code in languages():
            self.language.addItem(native_name(code), code)
        self.language.setCurrentIndex(max(0, self.language.findData(settings.language)))
        self.language.setToolTip(self.tr("Takes effect at the next start."))
        self.room = QSpinBox(self)
        self.room.setRange(1, _MOST_GIGABYTES)
        self.room.setSuffix(self.tr(" GB"))
        self.room.setValue(settings.cache_limit // GIGABYTE)
        self.message = MessageBar(self)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self
        )
        set_look(self.buttons.button(QDialogButtonBox.StandardButton.Save), "primary")
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()

    def _lay_out(self) -> None:
        self._choosers: list[QToolButton] = []
        content = QWidget(self)
        form = QFormLayout(content)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(flowing(self.tr("What a new release begins with"), "heading", self))
        for name, field in self.texts.items():
            form.addRow(label_of(f"release.{name}"), field)
        form.addRow(label_of("release.licence"), self.licence)
        for text, field, choose in (
            (self.tr("&Folder of bundles"), self.folder, self._choose_folder),
            (self.tr("Signing &key"), self.key, self._choose_key),
        ):
            caption = plain_label(text, self)
            caption.setBuddy(field)
            form.addRow(caption, self._with_chooser(field, choose))
        form.addRow(flowing(self.tr("This window"), "heading", self))
        form.addRow(self.tr("&Theme"), self.theme)
        form.addRow(self.tr("Lan&guage (from the next start)"), self.language)
        form.addRow(self.tr("&Room for copies of records"), self.room)
        self._area = scrolling(content)
        in_column(self, (self._area, 1), self.message, self.buttons, margins=None, spacing=12)
        self.setMinimumWidth(min(_WIDTH, self.screen().availableSize().width()))
        self._order()

    def _order(self) -> None:
        """From the first field down, each path with its button beside it, to the buttons below."""
        first, *others = self.texts.values()
        paths = zip((self.folder, self.key), self._choosers, strict=True)
        beside = (widget for pair in paths for widget in pair)
        below = (self.theme, self.language, self.room, *self.buttons.buttons())
        for one, other in pairwise([first, *others, self.licence, *beside, *below]):
            self.setTabOrder(one, other)
        first.setFocus()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """With the fonts that it is painted in: before, they are others."""
        super().showEvent(event)
        fit_content(self, self._area)

    def _with_chooser(self, field: QLineEdit, choose: Callable[[], None]) -> QHBoxLayout:
        button = QToolButton(self)
        button.setText(self.tr("Choose…"))
        button.clicked.connect(choose)
        self._choosers.append(button)
        return in_row(None, (field, 1), button)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder of bundles"), self.folder.text())
        if chosen:
            self.folder.setText(chosen)

    def _choose_key(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Signing key"),
            self.key.text(),
            self.tr("Keys (*{suffix})").format(suffix=PRIVATE_SUFFIX),
        )
        if chosen:
            self.key.setText(chosen)

    def _save(self) -> None:
        try:
            folder = _whole_path(self.folder.text(), self.tr("Folder of bundles"))
            key = _whole_path(self.key.text(), self.tr("Signing key"))
        except InputError as error:
            self.message.show_error(error)
            return
        for name, field in self.texts.items():
            self._settings.set_publisher_text(name, field.text())
        self._settings.set_publisher_text("licence", self.licence.currentText())
        self._settings.release_folder = folder
        self._settings.key_file = key
        self._settings.cache_limit = self.room.value() * GIGABYTE
        self._settings.language = self.language.currentData()
        mode = Mode(self.theme.currentData())
        if mode is not self._theme.mode:
            self._theme.set_mode(mode)
            self._settings.theme = mode
        self.accept()

    def _show_theme(self) -> None:
        """The one that the dialog itself is painted in, wherever it was chosen."""
        self.theme.setCurrentIndex(self.theme.findData(self._theme.mode))


def _whole_path(text: str, where: str) -> Path:
    path = Path(text.strip()).expanduser() if text.strip() else Path()
    if not path.is_absolute():
        raise InputError(
            _tr("This is not a whole path."), where=where, mend=_tr("choose it, or type it from the root on")
        )
    return path
