"""`series`: release the next period of a template (method 16.1)."""

from __future__ import annotations

import argparse
import datetime as dt

from core.accounting.ledger import Ledger
from core.cli.release import add_release_options, release_spec
from core.console.home_option import home_of
from core.release.series import next_in_series
from core.spec import read_toml


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_release_options(parser, spec="TEMPLATE.toml")
    parser.add_argument(
        "--first",
        metavar="PERIOD",
        help="where a new series begins, or continues after periods without records: 2026-02, 2026-w07, a "
        "date",
    )


def run(options: argparse.Namespace) -> int:
    """Find the period, then release it like any other spec."""
    template = read_toml(options.spec)
    with Ledger.open(home_of(options).ledger) as ledger:
        spec, period = next_in_series(
            template,
            options.spec.absolute().parent,
            ledger.populations(),
            begin=options.first,
            today=dt.datetime.now(dt.UTC).date(),
        )
    print(f"Period:    {period.label}, {period.first} to {period.last}")
    return release_spec(spec, options)
