"""An exception as text to copy or to log: its kind and where it was raised, never what it says of data."""

from __future__ import annotations

import platform
import traceback
from pathlib import Path

from PySide6 import __version__ as qt_version
from PySide6.QtCore import QCoreApplication

from core.errors import HexveilError

_ROOT = Path(__file__).resolve().parents[2]
_MOST_FRAMES = 12
_MOST_CAUSES = 4


def system_facts() -> str:
    """Versions and platform: no folder, no name, nothing of data."""
    return "\n".join(
        (
            f"Hexveil {QCoreApplication.applicationVersion()}",
            f"Python {platform.python_version()}, Qt {qt_version}",
            f"{platform.system()} {platform.release()} {platform.machine()}",
        )
    )


def fault_report(error: BaseException) -> str:
    """Kind, place in our code, and causes; what a `HexveilError` says, since that holds nothing confidential.

    The text of any other exception may quote a cell of a file, and is left out, as are source lines.
    """
    parts: list[str] = []
    shown: BaseException | None = error
    while shown is not None and len(parts) < _MOST_CAUSES:
        parts.append(_one(shown))
        shown = shown.__cause__ or (None if shown.__suppress_context__ else shown.__context__)
    return "\ncaused by:\n".join(parts)


def place_of(error: BaseException) -> str:
    """File, line and function that raised it; empty where nothing of ours is known."""
    frames = traceback.extract_tb(error.__traceback__)
    return _frame(frames[-1]) if frames else ""


def _one(error: BaseException) -> str:
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    said = f"{kind}: {error}" if isinstance(error, HexveilError) else kind
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return "\n".join([said, *(f"  {_frame(frame)}" for frame in frames)])


def _frame(frame: traceback.FrameSummary) -> str:
    path = Path(frame.filename)
    # of a library its package alone: the folders above it are this machine's
    name = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(*path.parts[-2:])
    return f"{name.as_posix()}, line {frame.lineno}, in {frame.name}"
