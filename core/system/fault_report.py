"""An exception as text without data: Hexveil made a mistake, or there is not enough memory."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import os
import traceback
from pathlib import Path

from core import __version__
from core.errors import HexveilError
from core.texts import text_of

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
    number = text_of("error number {error}", error=error_number(error))
    reported = text_of("; report it with {log}, which contains no data", log=log) if log else ""
    if isinstance(error, MemoryError):
        return HexveilError(
            "There is not enough memory for this ({number}).",
            number=number,
            mend="close other programs, or ask for less",
        )
    if isinstance(error, OSError) and error.errno is not None:
        return HexveilError(
            "The system refuses: {errno} ({number}).",
            errno=os.strerror(error.errno),
            number=number,
            where=str(error.filename or ""),
            mend=text_of(
                "check the path, its permissions and the room on its disk{reported}", reported=reported
            ),
        )
    return HexveilError(
        "Hexveil made a mistake ({name}, {number}).",
        name=type(error).__name__,
        number=number,
        where=place_of(error),
        mend=text_of("try again with other input{reported}", reported=reported),
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
    return text_of(
        "{value}, line {lineno}, in {name}", value=name.as_posix(), lineno=frame.lineno, name=frame.name
    )
