"""`contributions`: a table by which engine, encrypted or not; what is left of a deleted one (method 4)."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.console.consent import consents
from core.console.home_option import add_home
from core.console.passphrase import add_table_passphrase, read_table_passphrase
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of
from core.contributions.delete import delete_table, files_to_delete
from core.contributions.encryption import is_encrypted
from core.counted import count_of
from core.engines.base import Engine, TableJob
from core.engines.duckdb import DuckDbEngine
from core.engines.local import LocalEngine
from core.engines.spark import SparkEngine
from core.errors import InputError
from core.spec import load_parts, reading_rules
from core.system.files import make_folder

_ENGINES = ("local", "duckdb", "spark")

_REMAINS = (
    "Its names are gone. What it contained may still be on the disk until other data overwrite it:",
    "solid-state disks and copying file systems keep old blocks that overwriting does not reach.",
    "Backups, snapshots and the cache of the records are as they were.",
)
_PLAIN = "It was not encrypted. Next time use --encrypt and an encrypted disk for what nobody may find."
_SEALED = "It was encrypted: without the passphrase no copy of it can be read."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("data", nargs="*", metavar="DATA", help="files or patterns")
    parser.add_argument(
        "--spec", type=Path, help="take mapping, zone, bound, slots and window from this spec"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE.parquet|FOLDER", help="what is written; a folder where it has parts"
    )
    parser.add_argument(
        "--partition-by",
        default="",
        metavar="date|resolution|resolution,date",
        help="write a new folder of parts",
    )
    parser.add_argument("--encrypt", action="store_true", help="with a passphrase, which is asked for")
    add_table_passphrase(parser)
    parser.add_argument(
        "--delete", type=Path, metavar="FILE|FOLDER", help="remove a contribution table, and write none"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before deleting")
    parser.add_argument(
        "--engine",
        choices=_ENGINES,
        default=_ENGINES[0],
        help="the program that sorts and groups the records; the table is the same (docs/large-data.md)",
    )
    parser.add_argument("--master", metavar="URL", help="with --engine spark: the cluster, or local[2]")
    parser.add_argument("--json", action="store_true", help="print what was read as JSON (confidential)")


def run(options: argparse.Namespace) -> int:
    """Write the file, and say what it holds and that it is private; or delete one."""
    return _delete(options) if options.delete else _write(options)


def _write(options: argparse.Namespace) -> int:
    for needed, given in (("DATA", options.data), ("--spec", options.spec), ("--out", options.out)):
        if not given:
            raise InputError(f"{needed} is missing.", where="contributions", mend="see contributions --help")
    rules = reading_rules(options.spec)
    parts = load_parts(options.spec, "hats")
    if parts.resolution is None or parts.window is None:
        raise InputError("This part of the spec is missing.", where="hats", mend="add [hats]")
    if "resolution" in options.partition_by and not parts.place.hexagons:
        raise InputError(
            "Only tables of hexagons have a resolution.",
            where="--partition-by",
            mend="write --partition-by date, or leave it out",
        )
    engine = _engine(options)
    passphrase = read_table_passphrase(options, new=True) if options.encrypt else None
    job = TableJob(
        data=tuple(options.data),
        rules=rules,
        resolution=parts.resolution,
        window=parts.window,
        choice=parts.place,
        out=options.out,
        partitions=tuple(options.partition_by.split(",")) if options.partition_by else (),
        passphrase=passphrase,
    )
    make_folder(options.out.parent)
    made = engine.contributions(job, progress_line)
    if options.json:
        print(json.dumps(made.report.to_json(), indent=2, ensure_ascii=False))
        return 0
    print(f"Written: {options.out}")
    print(
        f"{count_of(made.rows, 'row')} of {count_of(made.hats, 'hexagon slot')}, "
        f"{count_of(made.values, 'value')}."
    )
    if made.derived:
        print("The speeds are derived from positions: a release of relation values refuses this table.")
    print("CONFIDENTIAL: true values and vehicle ids; readable by you only. Never publish it.")
    if options.encrypt:
        print(
            "Encrypted: without the passphrase nobody can read it, you neither. Store it apart from the "
            "table."
        )
    return 0


def _delete(options: argparse.Namespace) -> int:
    if options.data or options.spec or options.out:
        raise InputError(
            "A table is either written or deleted.",
            where="--delete",
            mend="give the table to delete alone, without DATA, --spec and --out",
        )
    files = files_to_delete(options.delete)
    sealed = all(map(is_encrypted, files))
    print(f"{options.delete}: {count_of(len(files), 'file')}.")
    if not options.yes and not consents(
        "Delete this table? This cannot be undone.", what="Deleting", mend="make sure, then add --yes"
    ):
        print("Nothing was deleted.")
        return 0
    delete_table(options.delete)
    print(f"Deleted: {options.delete}")
    print("\n".join((*_REMAINS, _SEALED if sealed else _PLAIN)))
    return 0


def _engine(options: argparse.Namespace) -> Engine:
    """The engine that is named; each imports its library when it runs."""
    if (options.engine == "spark") != bool(options.master):
        raise InputError(
            "--master and --engine spark belong together.",
            where="--master",
            mend="write for instance --engine spark --master spark://host:7077, or leave both out",
        )
    if options.partition_by and options.engine != _ENGINES[0]:
        raise InputError(
            "The other engines write one file.",
            where="--partition-by",
            mend="make a file for each month in one folder, which is one table, or leave --engine out",
        )
    if options.engine == "duckdb":
        return DuckDbEngine(cache_of(options))
    if options.engine == "spark":
        return SparkEngine(options.master, cache=cache_of(options))
    return LocalEngine(cache_of(options))
