"""Where Hexveil keeps its ledger, keys and settings (method 15: `--home`, `HEXVEIL_HOME`)."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from core.errors import InputError
from core.files import remove_stale_partials
from core.owner_rights import restrict_to_owner


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that belongs to one person or office, mode 0700."""

    folder: Path

    @property
    def ledger(self) -> Path:
        return self.folder / "ledger.sqlite"

    @property
    def settings(self) -> Path:
        return self.folder / "settings.ini"

    @property
    def cache(self) -> Path:
        """Where loaded records are kept for the next time."""
        return self.folder / "cache"

    @property
    def fault_log(self) -> Path:
        """Where the places of errors stand that nobody foresaw; it holds no value."""
        return self.folder / "errors.log"

    @property
    def recovery(self) -> Path:
        """Where unsaved work lies until its window is closed in order."""
        return self.folder / "recovery"

    @property
    def known_mappings(self) -> Path:
        return self.folder / "mappings.json"

    @property
    def default_key(self) -> Path:
        return self.folder / "keys" / "release-key.pem"

    def create(self) -> None:
        """Make the folder, private to its owner. Raises InputError when that is impossible."""
        try:
            made = not self.folder.exists()
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if made:
                restrict_to_owner(self.folder)
        except OSError as error:
            raise InputError(
                f"The home folder cannot be made: {error.strerror}.",
                where=str(self.folder),
                mend="name another folder with --home or HEXVEIL_HOME",
            ) from None

    def sweep(self) -> None:
        """Remove what runs that died left of files that they were writing here."""
        for folder in (self.folder, self.default_key.parent, self.recovery):
            remove_stale_partials(folder)


def find_home(chosen: str | Path | None = None) -> Home:
    """The chosen folder, else `HEXVEIL_HOME`, else the platform's data folder."""
    if chosen:
        return Home(Path(chosen).expanduser().absolute())
    if named := os.environ.get("HEXVEIL_HOME"):
        return Home(Path(named).expanduser().absolute())
    return Home(Path(platformdirs.user_data_dir("hexveil", appauthor=False)))


def program_name() -> str:
    """How this program is called on a command line: the built one by its name, a checkout by its file."""
    return "hexveil" if getattr(sys, "frozen", False) else os.environ.get("HEXVEIL_PROGRAM", "main.py")


def resources() -> Path:
    """The folder of bundled resources, in a checkout and in a frozen build."""
    bundled = getattr(sys, "_MEIPASS", None)
    return (Path(bundled) if bundled else Path(__file__).resolve().parent.parent) / "resources"
