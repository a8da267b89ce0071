"""`catalogue`: a bundle for portals: mobilityDCAT-AP, the registry, the Indian exchange (method 14.8)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from core.console.home_option import add_home
from core.published.ckan_package import ckan_package
from core.published.iudx_items import UNSTATED, iudx_items
from core.published.mobility_record import mobility_record
from core.published.registry_entry import entry_yaml, registry_entry
from core.release_texts import RegistryTexts
from core.spec.declared_tables import make, read_table
from core.spec.reading import read_toml
from core.spec.release_keys import REGISTRY_TABLE
from core.spec.toml_section import Section


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
    portals.add_argument(
        "--mobilitydcat",
        action="store_true",
        help="as a dataset of mobilityDCAT-AP 1.1, for national access points",
    )
    portals.add_argument(
        "--registry",
        action="store_true",
        help="as YAML for the public registry of deployments of differential privacy",
    )
    parser.add_argument("--hvd", action="store_true", help="with --mobilitydcat: a high-value dataset")
    parser.add_argument("--theme", default="", metavar="NAME", help="with --mobilitydcat: of its vocabulary")
    parser.add_argument(
        "--spec", type=Path, metavar="FILE", help="whose [release.registry] is used, not the bundle's"
    )
    parser.add_argument("--url", default="", help="of the folder where the bundle is offered")
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
    elif options.mobilitydcat:
        entry = mobility_record(
            options.bundle,
            options.public_key,
            url=options.url,
            theme=options.theme,
            high_value=options.hvd,
        )
    elif options.registry:
        print(
            entry_yaml(
                registry_entry(options.bundle, options.public_key, texts=_registry_texts(options.spec))
            ),
            end="",
        )
        print("data_curator_type says Government: alter it for another publisher.", file=sys.stderr)
        return 0
    else:
        entry = ckan_package(options.bundle, options.public_key, url=options.url)
    print(json.dumps(entry, indent=2, ensure_ascii=False))
    return 0


def _registry_texts(spec: Path | None) -> RegistryTexts | None:
    """Of a spec of which nothing else is looked at. Raises InputError for what is wrong in it."""
    if spec is None:
        return None
    release = read_toml(spec).get("release", {})
    stated = release.get("registry", {}) if isinstance(release, dict) else {}
    answers = read_table(REGISTRY_TABLE, Section("release.registry", stated))
    texts: RegistryTexts = make(REGISTRY_TABLE, answers)
    return texts
