"""Progress as one line on a terminal."""

from __future__ import annotations

import sys

from core.console.plain_output import PlainOutput, shown_plain


def progress_line(done: float, text: str = "") -> None:
    """Show the share done (0..1) and what is done, over the line before; nothing where no terminal is."""
    if sys.stderr.isatty():
        terminal = sys.stderr.unchecked if isinstance(sys.stderr, PlainOutput) else sys.stderr
        shown = shown_plain(text)[:60]
        print(f"\r{shown:<60} {done:4.0%}", end="\n" if done >= 1 else "", file=terminal)
