"""Names that Windows gives to devices or alters: a file `con.csv` would be printed on the console there."""

from __future__ import annotations

import sys
from pathlib import Path, PureWindowsPath

from core.errors import InputError

LONGEST_PATH = 259
"""Characters of a path that Windows allows unless long ones are switched on."""


def require_possible_name(path: Path) -> None:
    """Raise InputError where a file of this name would be another one, or none: on Windows alone."""
    if sys.platform == "win32" and not is_possible_name(path.name):
        raise InputError(
            "Windows keeps this name for a device, or alters it.", where=str(path), mend="choose another name"
        )


def is_possible_name(name: str) -> bool:
    """Whether Windows makes a file of just this name of it."""
    return not (
        PureWindowsPath(name).is_reserved()
        or name.endswith((".", " "))
        or any(letter in '<>:"|?*\\/' or letter < " " for letter in name)
    )


def too_long_for_windows(path: Path) -> bool:
    """Whether the length of a path may be why Windows does not find it."""
    return sys.platform == "win32" and len(str(path.absolute())) > LONGEST_PATH
