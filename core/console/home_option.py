"""The home that a command works with: ledger, keys and settings, by `--home` or HEXVEIL_HOME."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.system.paths import Home, find_home


def add_home(parser: argparse.ArgumentParser) -> None:
    """Add `--home`, which every command takes."""
    parser.add_argument("--home", type=Path, help="folder of ledger, keys and settings (or HEXVEIL_HOME)")


def home_of(options: argparse.Namespace) -> Home:
    """The home that the options name, or the usual one."""
    return find_home(options.home)
