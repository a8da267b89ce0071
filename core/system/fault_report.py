"""An exception as text to copy or to log: its kind and where it was raised, never what it says of data."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import os
import traceback
from pathlib import Path

from core import __version__
from core.errors import HexveilError

_ROOT = Path(__file__).resolve().parents[2]
_MOST_FRAMES = 12
_MOST_CAUSES = 4
_LARGEST_LOG = 1 << 20


def error_number(error: BaseException) -> str:
    """Six hexadecimal digits that are the same wherever the same thing goes wrong in the same version."""
    frames = [_frame(frame) for frame in traceback.extract_tb(error.__traceback__)]
    report = "\n".join([__version__, _kind(error), *frames[-3:]])
    return hashlib.sha256(report.encode()).hexdigest()[:6].upper()


def unexpected(error: BaseException, log: Path | None = None) -> HexveilError:
    """What a person reads about an exception that nobody expected; `log`: where its report stands."""
    number = f"error number {error_number(error)}"
    reported = f"; report it with {log}, which holds no data" if log else ""
    if isinstance(error, MemoryError):
        return HexveilError(
            f"There is not enough memory for this ({number}).", mend="close other programs, or ask for less"
        )
    if isinstance(error, OSError) and error.errno is not None:
        return HexveilError(
            f"The system refuses: {os.strerror(error.errno)} ({number}).",
            where=str(error.filename or ""),
            mend=f"check the path, its permissions and the room on its disk{reported}",
        )
    return HexveilError(
        f"Hexveil made a mistake ({type(error).__name__}, {number}).",
        where=place_of(error),
        mend=f"try again with other input{reported}",
    )


def log_fault(log: Path, error: BaseException) -> Path | None:
    """Append the report of an exception to a log that its owner alone can read; None where that fails.

    A log that has grown large begins anew.
    """
    entry = f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%SZ} Hexveil {__version__} {error_number(error)}\n"
    with contextlib.suppress(OSError, ValueError):
        mode = os.O_APPEND if log.exists() and log.stat().st_size < _LARGEST_LOG else os.O_TRUNC
        nonblocking = getattr(os, "O_NONBLOCK", 0)  # to a pipe that nobody reads
        handle = os.open(log, os.O_WRONLY | os.O_CREAT | nonblocking | mode, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{entry}{fault_report(error)}\n\n")
        return log
    return None


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
    kind = _kind(error)
    said = f"{kind}: {error}" if isinstance(error, HexveilError) else kind
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return "\n".join([said, *(f"  {_frame(frame)}" for frame in frames)])


def _kind(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}"


def _frame(frame: traceback.FrameSummary) -> str:
    path = Path(frame.filename)
    # of a library its package alone: the folders above it are this machine's
    name = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(*path.parts[-2:])
    return f"{name.as_posix()}, line {frame.lineno}, in {frame.name}"
