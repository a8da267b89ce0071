"""What the window remembers between runs: an INI file in the home folder, nothing from the data."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from core.errors import InputError
from core.paths import Home
from core.store.record_cache import DEFAULT_LIMIT
from ui.kit.theme import Mode

MOST_RECENT = 8
_FIRST_FOLDERS = {"release": "hexveil-releases"}
"""Purpose -> the folder below the person's documents that is proposed the first time."""

_GEOMETRY = "window/geometry"
_STATE = "window/state"
_THEME = "window/theme"
_RECENT = "files/recent"
_FOLDERS = "folders"
_OFFICE = "office"
OFFICE_TEXTS = ("publisher", "contact", "licence")
"""What a release says of who makes it: the same from one to the next."""
_CACHE_LIMIT = "cache/limit-gb"
GIGABYTE = 10**9


class Settings:
    """Typed settings. Whatever in the file cannot be read counts as never set."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._file = QSettings(str(home.settings), QSettings.Format.IniFormat)

    @property
    def recent_files(self) -> tuple[tuple[Path, ...], ...]:
        """Files that were loaded together, newest first."""
        try:
            groups = json.loads(str(self._file.value(_RECENT, "[]")))
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
    def theme(self) -> Mode:
        try:
            return Mode(str(self._file.value(_THEME, "")))
        except ValueError:
            return Mode.SYSTEM

    @theme.setter
    def theme(self, mode: Mode) -> None:
        self._set(_THEME, mode.value)

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
    def office(self) -> dict[str, str]:
        """Publisher, contact and licence of the last release; empty before the first."""
        texts = {name: str(self._file.value(f"{_OFFICE}/{name}", "")) for name in OFFICE_TEXTS}
        return texts if all(texts.values()) else {}

    @office.setter
    def office(self, texts: Mapping[str, str]) -> None:
        for name in OFFICE_TEXTS:
            self._set(f"{_OFFICE}/{name}", texts[name])

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
        # Qt would make a missing home readable for all; where none can be made, this run remembers
        with contextlib.suppress(InputError):
            self._home.create()
        self._file.setValue(key, value)
        self._file.sync()


def _documents() -> Path:
    return Path(
        QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation) or Path.home()
    )
