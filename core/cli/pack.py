"""`pack`: a bundle as one file (method 14.11)."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.console.home_option import add_home
from core.console.progress_line import progress_line
from core.verify.pack_bundle import pack_bundle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("bundle", type=Path, help="its folder; the zip is written beside it")


def run(options: argparse.Namespace) -> int:
    """Pack it and say where it lies. Raises HexveilError."""
    packed = pack_bundle(options.bundle, progress_line)
    print(f"Packed: {packed} ({packed.stat().st_size / 1e6:.1f} MB)")
    return 0
