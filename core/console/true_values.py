"""Before true values are shown: confidential counts, a population, a consent that its ledger marks."""

from __future__ import annotations

import argparse

from core.accounting.ledger import Ledger
from core.console.consent import consents
from core.console.home_option import home_of
from core.errors import InputError

CONFIDENTIAL_COUNTS = (
    "CONFIDENTIAL: true counts of the loaded records, for your eyes only; never publish them."
)


def add_population(parser: argparse.ArgumentParser) -> None:
    """Add `--population` and `--yes`."""
    parser.add_argument(
        "--population", metavar="NAME", help="whose vehicles they are: its later releases will say so"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")


def population_of(options: argparse.Namespace) -> str:
    """Whose true values are looked at.

    Raises before any data are read: InputError where none is named, LedgerError where it cannot be marked.
    """
    if options.population is None:
        raise InputError(
            "The ledger of a population records views of errors on true values, and no population is given.",
            where="--population",
            mend="add --population NAME, whose vehicles these are; a new name is created without a limit",
        )
    with Ledger.open(home_of(options).ledger) as ledger:
        ledger.was_evaluated(options.population)
    return str(options.population)


def agreed_on(options: argparse.Namespace, population: str) -> bool:
    """Whether a person agrees, by `--yes` or at the terminal. Raises InputError where nobody can answer."""
    return bool(options.yes) or consents(
        f'Show errors on true values? The ledger keeps it for good; later releases of "{population}" say so.',
        what="An evaluation of true values",
        mend="read what it means (README, limits of the guarantee), then add --yes",
    )


def mark_evaluated(options: argparse.Namespace, population: str) -> None:
    """Durably, before errors are computed."""
    with Ledger.open(home_of(options).ledger) as ledger:
        ledger.mark_evaluated(population)
