"""A home that others may enter, or whose files they may read, is closed to them, and its owner is informed.

So is one that was copied or made by other means: what this program makes there is its owner's alone from the
beginning.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from core.errors import InputError
from core.system.owner_rights import restrict_to_owner
from core.system.paths import Home

_OTHERS = 0o077


def close_to_others(home: Home) -> InputError | None:
    """What there is to say of it, if anything; it is no reason to stop. Nobody else's folder is changed.

    Windows has no modes: there the folder gets its owner's rights, and nothing is said.
    """
    own = (home.folder, home.ledger, home.settings, home.fault_log, home.known_mappings)
    private = (*own[1:], home.cache, home.recovery, home.default_key.parent)
    if not any(map(os.path.lexists, private)):  # no home yet
        return None
    if os.name == "nt":
        with contextlib.suppress(OSError):  # a disk that knows no rights
            restrict_to_owner(home.folder)
        return None
    opened = [path for path in own if _modes_of(path) & _OTHERS]
    with contextlib.suppress(OSError):
        for path in opened:
            if path.stat().st_uid == os.geteuid():
                path.chmod(_modes_of(path) & ~_OTHERS)
    if any(_modes_of(path) & _OTHERS for path in opened):
        return InputError(
            "Others can open the home folder, or files in it, and it belongs to another account.",
            where=str(home.folder),
            mend="let its owner close it to others, or use a home folder that only you can open (--home or "
            "HEXVEIL_HOME)",
        )
    return _closed(home.folder) if opened else None


def _closed(folder: Path) -> InputError:
    return InputError(
        "Others could open the home folder, or files in it; both are closed to them now.",
        where=str(folder),
        mend="find out who may have read it: it contains the ledger, keys, and copies of records",
    )


def _modes_of(path: Path) -> int:
    """Of a file or folder; none of what is not there, and of links."""
    try:
        found = path.lstat()
    except OSError:
        return 0
    return 0 if stat.S_ISLNK(found.st_mode) else stat.S_IMODE(found.st_mode)
