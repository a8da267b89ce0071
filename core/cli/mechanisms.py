"""`mechanisms`: what the registry holds."""

from __future__ import annotations

import argparse
import json
from typing import Any

from core.console.home_option import add_home
from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import declared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """List every mechanism with its parameters."""
    listed: list[dict[str, Any]] = [
        {
            "key": mechanism.key,
            "title": mechanism.title,
            "reference": mechanism.reference,
            "summary": mechanism.summary,
            "relations": sorted(mechanism.relations),
            "parameters": {item.name: item.allowed() for item in declared(mechanism.Params)},
        }
        for mechanism in all_mechanisms().values()
    ]
    if options.json:
        print(json.dumps(listed, indent=2))
        return 0
    for mechanism in listed:
        print(f"{mechanism['key']}: {mechanism['title']} ({mechanism['reference']})")
        print(f"    {mechanism['summary']}")
        for name, allowed in mechanism["parameters"].items():
            print(f"    {name}: {allowed}")
    return 0
