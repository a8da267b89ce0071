"""`catalogue`: a bundle as an entry of a portal's catalogue (method 14.8)."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.cli.home_option import add_home
from core.published.ckan_package import ckan_package


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("bundle", type=Path)
    parser.add_argument(
        "--ckan", action="store_true", required=True, help="as CKAN's package_create takes it"
    )
    parser.add_argument("--url", default="", help="of the folder that the bundle is offered in")
    parser.add_argument("--public-key", metavar="KEY", help="the publisher's key: its text or a .pub file")


def run(options: argparse.Namespace) -> int:
    """Check the bundle and print its entry. Raises HexveilError."""
    entry = ckan_package(options.bundle, options.public_key, url=options.url)
    print(json.dumps(entry, indent=2, ensure_ascii=False))
    return 0
