"""`notice`: withdraw or correct a published bundle, and say what to use instead (method 14.7)."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path

from core.accounting.ledger import Ledger
from core.console.home_option import add_home, home_of
from core.console.passphrase import read_passphrase
from core.keys.notice import publish_notice
from core.keys.signing_key import load_key


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--reason", required=True, help="one line, for everybody to read")
    parser.add_argument(
        "--replaced-by",
        type=Path,
        metavar="BUNDLE",
        help="what to use instead: the bundle is then corrected, not withdrawn",
    )
    parser.add_argument("--key", type=Path, help="the key that signed the bundle (default: the home's)")
    parser.add_argument("--passphrase-file", metavar="FILE|-", help="or HEXVEIL_PASSPHRASE")


def run(options: argparse.Namespace) -> int:
    """Sign the notice and say where it lies."""
    home = home_of(options)
    key = load_key(options.key or home.default_key, read_passphrase(options.passphrase_file))
    with Ledger.open(home.ledger) as ledger:
        published = publish_notice(
            options.bundle,
            reason=options.reason,
            key=key,
            now=dt.datetime.now(dt.UTC),
            replaced_by=options.replaced_by,
            ledger=ledger,
        )
    print(published.notice.sentence)
    print(f"Notice: {published.path}, and its signature beside it: publish both beside the bundle.")
    if not published.noted:
        print("This home's ledger does not have the bundle: only the notice says it.")
    return 0
