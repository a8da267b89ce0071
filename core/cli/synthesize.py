"""`synthesize`: made-up records that look like a city's bus feed."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.console.home_option import add_home
from core.console.progress_line import progress_line
from core.counted import count_of
from core.synthesize.street_map import write_city_maps
from core.synthesize.synthetic_records import SYNTHESIS_SEED, synthesize
from core.system.files import make_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("--records", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True, help=".csv, .csv.gz, .parquet, .json or .jsonl")
    parser.add_argument("--vehicles", type=int, help="size of the fleet; a large one makes a large city")
    parser.add_argument("--days", type=int, help="local days from 2022-01-03 on")
    parser.add_argument("--seed", type=int, default=SYNTHESIS_SEED)
    parser.add_argument("--maps", type=Path, metavar="DIR", help="also its streets and places, as GeoJSON")


def run(options: argparse.Namespace) -> int:
    """Write them to a file whose name tells its format."""
    make_folder(options.out.parent)
    synthesize(
        options.out,
        records=options.records,
        seed=options.seed,
        vehicles=options.vehicles,
        days=options.days,
        progress=progress_line,
    )
    print(f"Wrote {count_of(options.records, 'synthetic record')} to {options.out}")
    if options.maps is not None:
        streets, places = write_city_maps(options.maps, options.seed)
        print(f"Wrote the streets of their city to {streets} and its places to {places}")
    return 0
