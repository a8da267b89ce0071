"""Progress as one line on a terminal."""

from __future__ import annotations

import sys


def progress_line(done: float, text: str = "") -> None:
    """Show the share done (0..1) and what is done, over the line before; nothing where no terminal is."""
    if sys.stderr.isatty():
        print(f"\r{text[:60]:<60} {done:4.0%}", end="\n" if done >= 1 else "", file=sys.stderr)
