"""A name that gets its ending after the dialog has asked: a file of that name may be there already."""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from ui.language.translation import translator

_tr = translator("AddedEnding")


def unasked_replacement(typed: Path, path: Path) -> InputError | None:
    """What to say where `path`, which is `typed` with its ending, would replace a file; None where it may."""
    if path == typed or not path.exists():
        return None
    return InputError(
        _tr("There is a file of this name already."),
        where=str(path),
        mend=_tr("choose another name, or this one with its ending"),
    )
