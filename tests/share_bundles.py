"""Bundles of shares, released from the sample city."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from core.accounting.ledger import Ledger
from core.keys.signing_key import SigningKey
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.spec import load_spec
from tests.builders import make_key
from tests.city import POPULATION, SPEC, write_city
from tests.labelled_city import BY_ZONE, MAPPED, OPEN_LABELS, PERIODS, write_labelled_city

NOW = dt.datetime(2026, 11, 29, 12, 0, tzinfo=dt.UTC)
Edits = tuple[tuple[str, str], ...]


def asked(parameters: str, more: str = "") -> Edits:
    """What makes the city's spec ask for shares."""
    query = f'[[query]]\nid = "shares"\nstatistic = "share"\n{more}total = "9"\n'
    return ((SPEC[SPEC.index("[[query]]") :], f"{query}[query.parameters]\n{parameters}\n"),)


def released(
    folder: Path,
    key: SigningKey,
    parameters: str,
    more: str = "",
    edit: Edits = (),
    write: Callable[..., Path] = write_city,
) -> PublishedRelease:
    """Released into `folder`, by a ledger that nothing else is in; write: the city and its spec."""
    ledger = Ledger.open(folder / "home" / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(100), delta=Decimal("1e-6"))
    spec = load_spec(write(folder / "city", edit=(*asked(parameters, more), *edit)))
    return publish(prepare(spec, ledger), ledger, key=key, out=folder / "out", now=NOW)


def shares_by_zone(folder: Path) -> Path:
    """Of shares and percentiles by zones, periods, a label and kinds of day; `make_key` signs."""
    edit = (*BY_ZONE, MAPPED, OPEN_LABELS, PERIODS)
    parameters = 'percentiles = [15, 50, 85]\nnoise = "gauss"'
    return released(folder, make_key(), parameters, edit=edit, write=write_labelled_city).bundle


def rows_of(bundle: Path, name: str) -> list[dict[str, str]]:
    """Of a data file."""
    with (bundle / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(bundle: Path, name: str, rows: list[dict[str, str]]) -> None:
    """The same file with other rows."""
    with (bundle / "data" / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
