"""The tables of a bundle that holds, as pandas frames: public data only (method 14.8)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.release.csv_columns import DataTable
from core.release.privacy_statement_reader import read_statement
from core.release.verify import verify_bundle
from core.release.verify_folder import read_folder

RELEASE_COLUMN = "release"
"""The column that tells bundles apart, where rows of several stand in one frame."""
_TYPES = {"string": "string", "date": "string", "integer": "Int64", "number": "float64"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """One table of one bundle."""

    release: str
    """`<name>-<version>`."""
    statistic: str
    """Key of the statistic that it holds."""
    table: DataTable
    """What its columns mean."""
    frame: pd.DataFrame
    """Its rows, in the order of the file; what is empty there is missing here."""


def published_tables(bundle: Path, public_key: str | None = None) -> dict[str, PublishedTable]:
    """Statistic -> table, of a bundle that holds.

    public_key: of the publisher, as `verify` takes it; without it nothing is known about the signer.
    Raises InputError for what is no bundle, and for one that does not hold: its numbers may be anybody's.
    """
    require_holds(bundle, public_key)
    folder = read_folder(bundle)
    release = read_statement(folder).release
    return {
        key: PublishedTable(
            release=release, statistic=key, table=table, frame=_frame(table, folder.read(table.path))
        )
        for key, table in folder.statistics.items()
    }


def require_holds(bundle: Path, public_key: str | None = None) -> None:
    """Raises InputError for what is no bundle, and for one of which a check fails."""
    verification = verify_bundle(bundle, public_key)
    failed = [check.name for check in verification.checks if not check.passed]
    if failed:
        raise InputError(
            f"The bundle does not hold ({', '.join(failed)}), so nothing of it is read.",
            where=str(bundle),
            mend="get it anew from its publisher; `main.py verify` says what is wrong",
        )


def table_of(tables: dict[str, PublishedTable], statistic: str | None) -> PublishedTable:
    """The table of a statistic, or of the mean, or else the first. Raises InputError for one not there."""
    wanted = statistic or ("mean" if "mean" in tables else next(iter(tables)))
    if wanted not in tables:
        one = next(iter(tables.values()))
        raise InputError(
            f"The bundle {one.release} has no {wanted}.", mend=f"choose one of: {', '.join(sorted(tables))}"
        )
    return tables[wanted]


def rows_of_all(tables: Sequence[PublishedTable]) -> pd.DataFrame:
    """The rows of several bundles below each other, each with the name of its release first."""
    named = [one.frame.assign(**{RELEASE_COLUMN: one.release}) for one in tables]
    joined = pd.concat(named, ignore_index=True)
    return joined[[RELEASE_COLUMN, *(name for name in joined.columns if name != RELEASE_COLUMN)]]


def _frame(table: DataTable, content: bytes) -> pd.DataFrame:
    types = {column.name: _TYPES[column.type] for column in table.columns}
    return pd.read_csv(
        io.BytesIO(content), dtype=types, keep_default_na=False, na_values=[""], encoding="utf-8"
    )
