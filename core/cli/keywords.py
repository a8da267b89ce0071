"""`keywords`: a signing key as words, to write on paper (method 18.4)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.console.home_option import add_home, home_of
from core.console.passphrase import read_passphrase
from core.keys.paper import scanned, write_key_paper
from core.keys.signing_key import load_key
from core.keys.words import words_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("--key", type=Path, help="the key (default: the home's)")
    parser.add_argument("--qr", action="store_true", help="show the words as a code for a scanner too")
    parser.add_argument(
        "--paper", type=Path, metavar="FILE", help="write a page to be printed (HTML) instead of showing them"
    )
    parser.add_argument("--passphrase-file", metavar="FILE|-", help="or HEXVEIL_PASSPHRASE")


def run(options: argparse.Namespace) -> int:
    """Show the words, or write the page. Raises InputError as `write_key_paper` does."""
    key = load_key(options.key or home_of(options).default_key, read_passphrase(options.passphrase_file))
    secret = f"SECRET: anyone with these words has key {key.key_id}, without any passphrase."
    if options.paper:
        write_key_paper(options.paper, key)
        print(f"{secret} Print {options.paper}, then delete it.")
        return 0
    print(f"{secret} Write them on paper.")
    print(words_of(key))
    if options.qr:
        scanned(words_of(key)).terminal(sys.stdout, compact=True)
    print("`keygen --words FILE` makes the key file from them again.")
    return 0
