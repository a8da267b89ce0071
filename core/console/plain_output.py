"""What is printed, plain: control characters from names and files never reach a terminal.

A file may be called anything, and so may its columns: what a terminal would obey is shown as an escape.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO, cast

from core.place_words import of_places
from core.subject import VEHICLE, Subject

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls but tab and line feed, line separators, marks that turn the direction of text, half characters."""


def shown_plain(text: str) -> str:
    """The text with an escape such as `\\x1b` for each character that a terminal would obey."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class _Spoken:
    """What the command of the moment protects, and what was typed."""

    subject: Subject = VEHICLE
    typed: Sequence[str] = ()
    hexagons: bool = True


def speak_of(subject: Subject, typed: Sequence[str] = (), *, hexagons: bool = True) -> None:
    """Let all that is printed from now on say what is protected; typed: free text, which stays as it is.

    hexagons: whether places are; others are never called so.
    """
    _Spoken.subject, _Spoken.typed, _Spoken.hexagons = subject, typed, hexagons


@contextlib.contextmanager
def _as_broken_pipe() -> Iterator[None]:
    """Windows calls it an invalid argument, where the reader of a pipe has gone."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error


def as_printed(text: str) -> str:
    """What a text comes to when it is printed: tables are as wide as that."""
    ours = text if _Spoken.hexagons else of_places(text)
    return shown_plain(_Spoken.subject.says(ours, _Spoken.typed))


class PlainOutput:
    """A text stream that passes on what is plain; all else of it is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.unchecked = stream

    def write(self, text: str) -> int:
        """Never raises for a character that the stream's encoding lacks: it is shown as an escape.

        Raises BrokenPipeError where nobody reads any more, on every system; so does `flush`.
        """
        shown = as_printed(text)
        encoding = self.unchecked.encoding or "utf-8"
        with _as_broken_pipe():
            self.unchecked.write(shown.encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def flush(self) -> None:
        with _as_broken_pipe():
            self.unchecked.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unchecked, name)


@contextlib.contextmanager
def plain_output() -> Iterator[None]:
    """Standard output and standard error pass on plain text alone."""
    speak_of(VEHICLE)
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, PlainOutput(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
