"""Tables of a bundle as pandas frames; one not valid, too large or named twice (method 14.8)."""

from __future__ import annotations

import io
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from core.bundle.csv_columns import RELEASE_COLUMN, REMARK_COLUMN, DataTable
from core.bundle.privacy_statement import GAUSSIAN
from core.errors import InputError
from core.hats.slots import Periods
from core.quantity import Quantity
from core.signed.bundle_names import PRIVACY
from core.signed.findings import json_object
from core.system.paths import program_name
from core.texts import joined, text_of
from core.verify.folder import read_folder
from core.verify.statement_reader import read_statement
from core.verify.values import outlines_of
from core.verify.verify import Verification, verify_bundle

_PRACTICE, _NOTICE = "practice", "notice"
"""Checks that say what a bundle is, not that it is another's."""
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
    quantity: Quantity
    """What was measured."""
    span: int
    """U: the quantity's range in thousandths."""
    resolutions: tuple[int, ...]
    """Of H3, coarsest first; 0 of places that are no hexagons."""
    slot_minutes: int
    """0 where slots are periods."""
    periods: Periods
    zone: str
    """IANA name of the zone of its days and hours."""
    normal_noise: bool
    """Its noise is Gaussian throughout; else some of it, or all, is Laplace noise."""
    remark: str = ""
    """What a reader must know first: a practice release, or what the publisher said of it since."""
    outlines: Mapping[str, Mapping[str, Any]] | None = None
    """Place -> geometry, as `BundleValues` has them; None: places are hexagons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedBundle:
    """A bundle that holds, and what was found out about it."""

    path: Path
    release: str
    """`<name>-<version>`."""
    first: str
    """First date of its window, ISO 8601."""
    last: str
    remark: str
    """As of its tables."""
    trusted: bool
    """Signed by the key that was given."""
    key_id: str
    """Of the key that signed, as the signature says."""
    tables: Mapping[str, PublishedTable]
    """Statistic -> table."""


def read_bundle(path: Path, public_key: str | None = None) -> PublishedBundle:
    """A bundle that holds, with every table; one to try things out, or withdrawn since, bears a remark.

    public_key: of the publisher, as `verify` takes it; without it nothing is known about the signer.
    Raises InputError for what is no bundle, and for one that does not hold: its numbers may be anybody's.
    """
    verification = verify_bundle(path, public_key, practice=True)
    _require_passed(path, verification, forgiven=(_NOTICE,))
    remarks = [
        check.detail
        for check in verification.checks
        if check.name == _PRACTICE or (check.name == _NOTICE and not check.passed)
    ]
    folder = read_folder(path)
    statement = read_statement(folder)
    document = json_object(PRIVACY, folder.read(PRIVACY))
    noises = {query["statistic"]: query.get("noise") for query in document["queries"]}
    remark = joined(" ", remarks)
    outlines = outlines_of(folder)
    return PublishedBundle(
        path=path,
        release=statement.release,
        first=statement.first,
        last=statement.last,
        remark=remark,
        trusted=verification.trusted,
        key_id=verification.key_id,
        tables={
            key: PublishedTable(
                release=statement.release,
                statistic=key,
                table=table,
                frame=_frame(table, folder.read(table.path)),
                quantity=statement.quantity,
                span=statement.span,
                resolutions=statement.place.resolutions(statement.resolution),
                slot_minutes=statement.slot_minutes,
                periods=statement.periods,
                zone=document["period"].get("zone", ""),
                normal_noise=noises.get(key) == GAUSSIAN,
                remark=remark,
                outlines=outlines if table.by_place else None,
            )
            for key, table in folder.statistics.items()
        },
    )


def require_different(bundles: Sequence[PublishedBundle]) -> None:
    """Raises InputError where a bundle stands twice: name and version of one key are those of one bundle."""
    seen: dict[tuple[str, str], Path] = {}
    for one in bundles:
        other = seen.setdefault((one.release, one.key_id), one.path)
        if other is not one.path:
            raise InputError(
                "{release} is named twice, as {other} and as {path}: the same numbers.",
                release=one.release,
                other=other,
                path=one.path,
                mend="name each bundle once",
            )


def published_tables(bundle: Path, public_key: str | None = None) -> Mapping[str, PublishedTable]:
    """Statistic -> table, as `read_bundle` reads them."""
    return read_bundle(bundle, public_key).tables


def require_holds(bundle: Path, public_key: str | None = None) -> None:
    """Raises InputError for what is no bundle, and for one of which a check fails."""
    _require_passed(bundle, verify_bundle(bundle, public_key))


def _require_passed(bundle: Path, verification: Verification, forgiven: Container[str] = ()) -> None:
    failed = [one.name for one in verification.checks if not one.passed and one.name not in forgiven]
    if verification.only_unread:
        raise InputError(
            "The bundle is too large to be read without its publisher's key.",
            where=str(bundle),
            mend="name the key with --public-key",
        )
    if failed:
        raise InputError(
            "The bundle is not valid ({failed}), so nothing of it is read.",
            failed=", ".join(failed),
            where=str(bundle),
            mend=text_of(
                "get it again from its publisher; `{value} verify` says what is wrong", value=program_name()
            ),
        )


def table_of(tables: Mapping[str, PublishedTable], statistic: str | None) -> PublishedTable:
    """The table of a statistic, or of the mean, or else the first. Raises InputError for one not there."""
    wanted = statistic or ("mean" if "mean" in tables else next(iter(tables)))
    if wanted not in tables:
        one = next(iter(tables.values()))
        raise InputError(
            "The bundle {release} has no {wanted}.",
            release=one.release,
            wanted=wanted,
            mend=text_of("choose one of: {tables}", tables=", ".join(sorted(tables))),
        )
    return tables[wanted]


def rows_of_all(tables: Sequence[PublishedTable]) -> pd.DataFrame:
    """The rows of several bundles below each other, each with the name of its release first.

    Where one of them bears a remark, the last column `remark` holds it.
    """
    return rows_of_releases([(one, one.frame) for one in tables])


def rows_of_releases(parts: Sequence[tuple[PublishedTable, pd.DataFrame]]) -> pd.DataFrame:
    """The same of rows that were computed from each."""
    named = [frame.assign(**{RELEASE_COLUMN: one.release, REMARK_COLUMN: one.remark}) for one, frame in parts]
    joined = pd.concat(named, ignore_index=True)
    numbers = [name for name in joined.columns if name not in (RELEASE_COLUMN, REMARK_COLUMN)]
    remarked = [REMARK_COLUMN] if any(one.remark for one, _ in parts) else []
    return joined[[RELEASE_COLUMN, *numbers, *remarked]]


def _frame(table: DataTable, content: bytes) -> pd.DataFrame:
    types = {column.name: _TYPES[column.type] for column in table.columns}
    return pd.read_csv(
        io.BytesIO(content), dtype=types, keep_default_na=False, na_values=[""], encoding="utf-8"
    )
