"""Hexveil: without a command the window, with one the command line."""

from __future__ import annotations

import sys

from core.cli import main as command_line


def main() -> int:
    """Run what was asked for; the exit code is SPEC 15's."""
    code = command_line(sys.argv[1:])
    if code is not None:
        return code
    from ui.app import run  # the command line must not load Qt

    return run(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
