"""Where Hexveil's home is, which cannot be created, and how to install a missing library (method 15)."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from core.errors import InputError
from core.system.files import remove_stale_partials
from core.system.owner_rights import restrict_to_owner
from core.texts import text_of


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
        """Where loaded records are stored for the next time."""
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
                "The home folder cannot be created: {strerror}.",
                strerror=error.strerror,
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


_TOP = Path(__file__).resolve().parents[2]
"""The folder that holds `core/`."""


def program_name() -> str:
    """How a command line calls this program: by its name where it is installed or built."""
    return "python main.py" if _in_checkout() else "hexveil"


def how_to_add(extra: str, library: str) -> str:
    """How the library of an extra of pyproject.toml is added; a built program takes none."""
    if _in_checkout():
        return text_of('install it beside Hexveil (`pip install ".[{extra}]"`)', extra=extra)
    return text_of(
        "add it to a Hexveil that pipx has installed (`pipx inject hexveil {library}`)", library=library
    )


def _in_checkout() -> bool:
    return (_TOP / "pyproject.toml").is_file()


def resources() -> Path:
    """The folder of bundled resources: in a checkout, an installed copy and a frozen build beside `core/`."""
    return Path(getattr(sys, "_MEIPASS", _TOP)) / "resources"
