"""Hexveil: without a command the window, with one the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from core.system.core_dumps import switch_off_core_dumps

WINDOW_OPTIONS = ("--home", "--open", "--language")
"""What may be said to the window: its home, a file or bundle to open in it, and its language (`en`, `hi`)."""


def window_options(arguments: Sequence[str]) -> dict[str, str] | None:
    """The window's options by name; None where the command line is meant."""
    options = dict(zip(arguments[::2], arguments[1::2], strict=False))
    if len(arguments) % 2 or len(options) * 2 != len(arguments) or not set(options) <= set(WINDOW_OPTIONS):
        return None
    return options


def main() -> int:
    """Run what was asked for; the exit code is method 15's.

    Each side is imported only when wanted: the command line loads no Qt, and the window is there
    before the engine is loaded.
    """
    switch_off_core_dumps()
    arguments = sys.argv[1:]
    # Read when numpy and SciPy are loaded. More threads would wait for each other wherever the machine has
    # other work: factors of a city then take three times as long, and small ones ten times.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = window_options(arguments)
    if options is not None:
        from ui.shell.app import run

        return run(
            home=options.get("--home"), opened=options.get("--open"), language=options.get("--language")
        )
    try:
        from core.cli import main as command_line

        return command_line(arguments)
    except KeyboardInterrupt:  # while the engine is still being loaded: some seconds on a slow disk
        print("stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
