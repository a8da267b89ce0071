"""`inspect`: guess the mapping of some files and report what is usable of them."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path

from core.assist.suggested_choices import zone_to_look
from core.cli.home_option import add_home
from core.cli.progress_line import progress_line
from core.cli.reading_options import cache_of, first_rows, rules_for
from core.read.file_listing import expand
from core.store.load_records import load_records


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("data", nargs="+", metavar="DATA", help="files or patterns")
    parser.add_argument("--spec", type=Path, help="take the mapping, zone and bound from this spec")
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print the ingest report (method 2.5), and why each part of the mapping was guessed."""
    files = expand(options.data, Path.cwd())
    rules, reasons = rules_for(files, options.spec)
    if options.spec is None and (zone := zone_to_look(first_rows(files[0]), rules.mapping.time)):
        rules = dataclasses.replace(rules, zone=zone)
        reasons |= {"zone": f"the times do not tell; {zone} is assumed"}
    loaded = load_records(files, rules, progress_line, cache_of(options))
    facts = loaded.report.to_json()
    if options.json:
        print(json.dumps(facts | ({"guessed": reasons} if reasons else {}), indent=2))
        return 0
    _print_facts(facts | {f"guessed {part}": reason for part, reason in reasons.items()})
    return 0


def _print_facts(facts: dict[str, object]) -> None:
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name:<{width}}  {value}")
