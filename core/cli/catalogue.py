"""`catalogue`: a bundle as an entry of a portal's catalogue (method 14.8, 14.9)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from core.console.home_option import add_home
from core.published.ckan_package import ckan_package
from core.published.iudx_items import UNSTATED, iudx_items


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("bundle", type=Path)
    portals = parser.add_mutually_exclusive_group(required=True)
    portals.add_argument("--ckan", action="store_true", help="as CKAN's package_create takes it")
    portals.add_argument(
        "--iudx",
        action="store_true",
        help="as items of the Indian urban data exchange: a group and its files",
    )
    parser.add_argument("--url", default="", help="of the folder that the bundle is offered in")
    parser.add_argument("--provider", default="", metavar="ID", help="that the exchange gave the publisher")
    parser.add_argument("--resource-server", default="", metavar="ID", help="of the exchange")
    parser.add_argument("--public-key", metavar="KEY", help="the publisher's key: its text or a .pub file")


def run(options: argparse.Namespace) -> int:
    """Check the bundle and print its entry. Raises HexveilError."""
    entry: Any
    if options.iudx:
        entry = iudx_items(
            options.bundle,
            options.public_key,
            url=options.url,
            provider=options.provider,
            resource_server=options.resource_server,
        )
        print(f"The exchange's model has no key for: {'; '.join(UNSTATED)}.", file=sys.stderr)
        if not options.provider or not options.resource_server:
            print("Fill in provider and resourceServer: the exchange gives these ids.", file=sys.stderr)
    else:
        entry = ckan_package(options.bundle, options.public_key, url=options.url)
    print(json.dumps(entry, indent=2, ensure_ascii=False))
    return 0
