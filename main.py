"""Hexveil: without a command the window, with one the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def opens_window(arguments: Sequence[str]) -> bool:
    """No command: nothing at all, or only where the home is."""
    return not arguments or (arguments[0] == "--home" and len(arguments) == 2)


def main() -> int:
    """Run what was asked for; the exit code is SPEC 15's.

    Each side is imported only when wanted: the command line loads no Qt, and the window is there
    before the engine is loaded.
    """
    arguments = sys.argv[1:]
    if opens_window(arguments):
        from ui.app import run

        return run(home=arguments[1] if arguments else None)
    from core.cli import main as command_line

    return command_line(arguments)


if __name__ == "__main__":
    sys.exit(main())
