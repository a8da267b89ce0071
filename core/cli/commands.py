"""The commands by name, each with its line of the help; the file that `module_of` names holds the rest.

Only the file of the command that was asked for is imported: `ledger show` waits for no engine.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Protocol, cast

COMMANDS = {
    "inspect": "guess the mapping, report what is usable",
    "table": "compare resolutions and slots (confidential)",
    "hats": "list the hexagon slots with the most records (confidential)",
    "plan": "what a total achieves, or an error costs, for a whole city (confidential)",
    "mechanisms": "list the mechanisms and their parameters",
    "evaluate": "errors of the mechanisms on true values (confidential); the ledger records that you saw "
    "them",
    "figures": "draw the papers' figures, from made-up data and (confidential) from loaded data",
    "contributions": "write the contribution table, for a release elsewhere (confidential)",
    "release": "release a signed bundle from a spec, after a review and a question",
    "series": "release the next period of a template",
    "practice": "release the bundled sample to try things out, with a ledger and a key that are thrown away",
    "verify": "check a bundle, or a packed one; exit code 0 only if everything is valid",
    "pack": "pack a bundle as one file, an eighth to a quarter as large, which the other commands read too",
    "read": "published bundles as one table, or what has changed between them",
    "catalogue": "a bundle as an entry for a portal's catalogue",
    "policy": "what may be spent per vehicle, and what stays open, as a page",
    "notice": "withdraw or correct a published bundle by a signed notice",
    "ledger": "what was spent, and the limits",
    "keygen": "make a signing key, or make it again from its words",
    "keywords": "show a signing key as words, to write on paper",
    "keynote": "name a signing key's successor, or revoke it, by a note that `verify` reads",
    "synthesize": "write made-up bus records, and the streets and places of their city",
}
"""Name -> what it does, in the order of the help."""


_FILES = {"table": "resolution_table"}
"""Command -> its file, where that says more than the command's short name."""


class Command(Protocol):
    """What the file of a command holds."""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Add what may follow the command."""

    @staticmethod
    def run(options: argparse.Namespace) -> int:
        """Do it; the exit code (method 15). Raises HexveilError."""


def module_of(name: str) -> str:
    """The module of a command of `COMMANDS`: called like the command, but for those with a longer name."""
    return f"core.cli.{_FILES.get(name, name)}"


def load_command(name: str) -> Command:
    """Import the file of a command of `COMMANDS`."""
    return cast(Command, import_module(module_of(name)))
