"""`policy`: an epsilon policy as a page, of a bundle or of a population (method 14.10)."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path

from core.accounting.ledger import Ledger
from core.accounting.ledger_rules import clean_name
from core.console.home_option import add_home, home_of
from core.errors import InputError
from core.portal.policy import EpsilonPolicy, policy_of_population, policy_of_statement
from core.portal.policy_pages import policy_pages, write_policy
from core.published.bundle_frames import read_bundle
from core.signed.bundle_names import PRIVACY
from core.signed.findings import json_object
from core.verify.folder import read_folder
from core.verify.maps import folder_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("bundle", type=Path, nargs="?", metavar="BUNDLE", help="of its privacy.json")
    source.add_argument("--population", metavar="NAME", help="of the ledger as it stands")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="receives both files")
    parser.add_argument("--publisher", default="", metavar="TEXT", help="of a population")
    parser.add_argument(
        "--contact", default="", metavar="TEXT", help="of a population: where readers can ask"
    )
    parser.add_argument("--public-key", metavar="KEY", help="the publisher's key: its text or a .pub file")


def run(options: argparse.Namespace) -> int:
    """Write policy.html and policy.md. Raises HexveilError."""
    pages = policy_pages(_policy(options))
    write_policy(options.out, pages)
    print("\n".join(str(options.out / name) for name in pages))
    return 0


def _policy(options: argparse.Namespace) -> EpsilonPolicy:
    if options.population is None:
        read_bundle(options.bundle, options.public_key)  # nothing is shown of one that does not hold
        folder = read_folder(options.bundle)
        return policy_of_statement(json_object(PRIVACY, folder.read(PRIVACY)), folder_tables(folder))
    with Ledger.open(home_of(options).ledger) as ledger:
        populations = {one.name: one for one in ledger.populations()}
    found = populations.get(clean_name(options.population))
    if found is None:
        raise InputError(
            f"The ledger has no population {options.population!r}.",
            where="--population",
            mend=f"choose one of: {', '.join(sorted(populations)) or 'none yet'}",
        )
    return policy_of_population(
        found, dt.datetime.now(dt.UTC).date(), publisher=options.publisher, contact=options.contact
    )
