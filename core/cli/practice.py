"""`practice`: release the bundled sample, for which no vehicle pays, to try things out (method 14.6)."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli.verify import check_published
from core.console.home_option import add_home
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of
from core.release.practice import practise, sample_spec
from core.spec import load_spec


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument(
        "spec", type=Path, nargs="?", metavar="SPEC.toml", help="of the bundled sample (default: its own)"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder that receives the bundle")


def run(options: argparse.Namespace) -> int:
    """Release the sample without asking: no vehicle pays for it."""
    spec = sample_spec() if options.spec is None else load_spec(options.spec)
    done = practise(spec, options.out, progress_line, cache_of(options))
    print(f"Practised: {done.bundle}")
    print(f"Key:       {done.public_key} (thrown away)")
    print("No vehicle paid for it, and it is not a real release: `verify` needs --practice.")
    return check_published(done.bundle, done.public_key, practice=True)
