"""What the window remembers between runs: an INI file in the home folder, nothing from the data."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from core.errors import InputError
from core.store.record_cache import DEFAULT_LIMIT
from core.system.files import private_opener
from core.system.nested_texts import json_value
from core.system.paths import Home
from ui.kit.theme import Mode

MOST_RECENT = 8
_FIRST_FOLDERS = {"release": "hexveil-releases"}
"""Purpose -> the folder below the person's documents that is proposed the first time."""

_GEOMETRY = "window/geometry"
_STATE = "window/state"
_THEME = "window/theme"
_LANGUAGE = "window/language"
_RECENT = "files/recent"
_RECENT_PATHS = "files/recent-{kind}"
_FOLDERS = "folders"
_PUBLISHER = "publisher/{name}"
_SECTIONS = "window/open-sections"
_NEWCOMER_CARD = "window/newcomer-card"
_KEY_FILE = "publisher/key-file"
_RELEASE_FOLDER = "publisher/release-folder"
_CACHE_LIMIT = "cache/limit-gb"
GIGABYTE = 10**9
PUBLISHER_TEXTS = ("publisher", "contact", "licence")
"""What an office says of itself in every release: fields of a draft."""


class Settings:
    """Typed settings. Whatever in the file cannot be read counts as never set."""

    def __init__(self, home: Home) -> None:
        self._home = home
        if home.settings.exists() and not home.settings.is_file():  # Qt would wait for a pipe
            with contextlib.suppress(OSError):
                home.settings.rename(home.settings.with_name(f"{home.settings.name}.set-aside"))
        self._file = QSettings(str(home.settings), QSettings.Format.IniFormat)

    @property
    def recent_files(self) -> tuple[tuple[Path, ...], ...]:
        """Files that were loaded together, newest first."""
        try:
            groups = json_value(str(self._file.value(_RECENT, "[]")))
            return tuple(tuple(Path(name) for name in group) for group in groups if group)[:MOST_RECENT]
        except (ValueError, TypeError):
            return ()

    def add_recent(self, files: Sequence[Path]) -> None:
        """Put files that were loaded together in front."""
        newest = tuple(path.absolute() for path in files)
        others = [group for group in self.recent_files if group != newest]
        self._set_recent((newest, *others))

    def _set_recent(self, groups: Sequence[Sequence[Path]]) -> None:
        self._set(_RECENT, json.dumps([[str(path) for path in group] for group in groups[:MOST_RECENT]]))

    def recent(self, kind: str) -> tuple[Path, ...]:
        """What was opened or saved of a kind (`RECENT_KINDS`), newest first."""
        try:
            names = json_value(str(self._file.value(_RECENT_PATHS.format(kind=kind), "[]")))
            return tuple(Path(name) for name in names)[:MOST_RECENT]
        except (ValueError, TypeError):
            return ()

    def add_recent_path(self, kind: str, path: Path) -> None:
        """Put what was opened or saved in front."""
        newest = path.absolute()
        recent = [newest, *(other for other in self.recent(kind) if other != newest)]
        self._set(_RECENT_PATHS.format(kind=kind), json.dumps([str(one) for one in recent[:MOST_RECENT]]))

    def publisher_text(self, name: str) -> str:
        """What releases say where nobody wrote anything else (`PUBLISHER_TEXTS`); empty: nothing is set."""
        value = self._file.value(_PUBLISHER.format(name=name), "")
        return value if isinstance(value, str) else ""

    def set_publisher_text(self, name: str, text: str) -> None:
        """Let later releases say so."""
        self._set(_PUBLISHER.format(name=name), text.strip())

    @property
    def publisher_texts(self) -> dict[str, str]:
        """All of them that are set, by name."""
        texts = {name: self.publisher_text(name) for name in PUBLISHER_TEXTS}
        return {name: text for name, text in texts.items() if text}

    @property
    def key_file(self) -> Path:
        """Of the key that signs: the one that was chosen, else the home's."""
        value = self._file.value(_KEY_FILE, "")
        return Path(value) if isinstance(value, str) and value else self._home.default_key

    @key_file.setter
    def key_file(self, path: Path) -> None:
        self._set(_KEY_FILE, "" if path == self._home.default_key else str(path.absolute()))

    @property
    def window_geometry(self) -> QByteArray:
        """For `restoreGeometry`; empty when never saved."""
        return self._bytes(_GEOMETRY)

    @window_geometry.setter
    def window_geometry(self, value: QByteArray) -> None:
        self._set(_GEOMETRY, value)

    @property
    def window_state(self) -> QByteArray:
        """For `restoreState`; empty when never saved."""
        return self._bytes(_STATE)

    @window_state.setter
    def window_state(self, value: QByteArray) -> None:
        self._set(_STATE, value)

    @property
    def open_sections(self) -> tuple[str, ...] | None:
        """Of the parameters, by their keys, as they were left; None: nobody has opened or closed one."""
        value = self._file.value(_SECTIONS)
        return tuple(filter(None, value.split(" "))) if isinstance(value, str) else None

    @open_sections.setter
    def open_sections(self, names: tuple[str, ...]) -> None:
        self._set(_SECTIONS, " ".join(names))

    @property
    def newcomer_card_closed(self) -> bool:
        """Nobody wants to be shown what a newcomer does."""
        return self._file.value(_NEWCOMER_CARD, "") == "closed"

    @newcomer_card_closed.setter
    def newcomer_card_closed(self, closed: bool) -> None:
        self._set(_NEWCOMER_CARD, "closed" if closed else "")

    @property
    def theme(self) -> Mode:
        try:
            return Mode(str(self._file.value(_THEME, "")))
        except ValueError:
            return Mode.SYSTEM

    @theme.setter
    def theme(self, mode: Mode) -> None:
        self._set(_THEME, mode.value)

    @property
    def language(self) -> str:
        """Code of the window's language; empty: as the system."""
        return str(self._file.value(_LANGUAGE, ""))

    @language.setter
    def language(self, code: str) -> None:
        self._set(_LANGUAGE, code)

    @property
    def cache_limit(self) -> int:
        """Bytes that the private copies of loaded records may take."""
        try:
            gigabytes = int(str(self._file.value(_CACHE_LIMIT, "")))
        except ValueError:
            gigabytes = 0
        return gigabytes * GIGABYTE if gigabytes > 0 else DEFAULT_LIMIT

    @cache_limit.setter
    def cache_limit(self, size: int) -> None:
        self._set(_CACHE_LIMIT, size // GIGABYTE)

    @property
    def release_folder(self) -> Path:
        """Where bundles go: the folder that was decided, also before it is made, else the one last used."""
        value = self._file.value(_RELEASE_FOLDER, "")
        return Path(value) if isinstance(value, str) and value else self.folder_for("release")

    @release_folder.setter
    def release_folder(self, folder: Path) -> None:
        self._set(_RELEASE_FOLDER, str(folder.absolute()))

    def last_folder(self, purpose: str) -> Path | None:
        """The folder last used for `purpose` (a key such as `data` or `release`), if it is still there."""
        name = self._file.value(f"{_FOLDERS}/{purpose}", "")
        return Path(name) if isinstance(name, str) and name and Path(name).is_dir() else None

    def folder_for(self, purpose: str) -> Path:
        """Where to begin: the folder last used for `purpose`, else the one proposed the first time."""
        return self.last_folder(purpose) or _documents() / _FIRST_FOLDERS.get(purpose, "")

    def set_last_folder(self, purpose: str, folder: Path) -> None:
        """Remember where the person last looked for `purpose`."""
        self._set(f"{_FOLDERS}/{purpose}", str(folder.absolute()))

    def _bytes(self, key: str) -> QByteArray:
        value = self._file.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def _set(self, key: str, value: object) -> None:
        # Qt would make a missing home, or file, readable for all; where none can be made, this run remembers
        with contextlib.suppress(InputError, OSError):
            self._home.create()
            os.close(private_opener(str(self._home.settings), os.O_WRONLY | os.O_CREAT))
        self._file.setValue(key, value)
        self._file.sync()


def _documents() -> Path:
    """The person's own folder where there are no documents: a dialog that is given a folder that is missing
    would begin where records were opened last, and these are no place for what is to be passed on."""
    found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(found) if found and Path(found).is_dir() else Path.home()
