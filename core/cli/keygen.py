"""`keygen`: make a signing key (method 18)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.console.home_option import add_home, home_of
from core.console.passphrase import read_passphrase
from core.keys.signing_key import generate_key
from core.keys.words import restore_key
from core.read.unreadable_files import unreadable_as_input_error
from core.system.passphrase_strength import strength_text
from core.system.regular_files import read_regular


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("--out", type=Path, metavar="STEM", help="writes STEM.pem and STEM.pub")
    parser.add_argument(
        "--words", metavar="FILE|-", help="the words of a key (`keywords`), which is made again"
    )
    parser.add_argument("--passphrase-file", metavar="FILE|-", help="or HEXVEIL_PASSPHRASE")


def run(options: argparse.Namespace) -> int:
    """Make the key and show its public part."""
    home = home_of(options)
    if options.out is None:
        home.create()
    stem = options.out or home.default_key.with_suffix("")
    words = _words(options.words) if options.words else None
    passphrase = read_passphrase(options.passphrase_file, new=True)
    key = generate_key(stem, passphrase) if words is None else restore_key(stem, words, passphrase)
    print(f"Private key: {stem}.pem (keep it, and its passphrase)")
    print(f"Passphrase:  {strength_text(passphrase)}")
    print(f"Public key:  {stem}.pub")
    print(f"Publish this key on your own site: {key.public_text}")
    print(f"Its fingerprint: {key.fingerprint}")
    return 0


def _words(file: str) -> str:
    """From a file, or from standard input (`-`) up to an empty line."""
    if file == "-":
        return "".join(iter(lambda: sys.stdin.readline().strip() + " ", " "))
    with unreadable_as_input_error(Path(file)):
        return read_regular(Path(file), pipes=True).decode("utf-8", "replace")
