"""Releases by region of the made-up city, from the spec to the folder, and what `verify` finds in one."""

from __future__ import annotations

import csv
import datetime as dt
from decimal import Decimal
from pathlib import Path

from core.accounting.ledger import Ledger
from core.keys.signing_key import SigningKey
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.release.prepared import Prepared
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests.city import BY_REGION, POPULATION, write_city

TABLE = "data/speed_by_region.csv"
_NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)


def open_ledger(folder: Path) -> Ledger:
    """With a limit and a delta."""
    opened = Ledger.open(folder / "home" / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=Decimal(100), delta=Decimal("1e-6"))
    return opened


def planned(folder: Path, ledger: Ledger, *edits: tuple[str, str]) -> Prepared:
    """edits: of the spec's text."""
    return prepare(load_spec(write_city(folder / "city", edit=(*BY_REGION, *edits))), ledger)


def released(
    folder: Path, ledger: Ledger, key: SigningKey, *edits: tuple[str, str], out: str = "out"
) -> PublishedRelease:
    return publish(planned(folder, ledger, *edits), ledger, key=key, out=folder / out, now=_NOW)


def rows_of(bundle: Path) -> list[dict[str, str]]:
    """The table of regions."""
    with (bundle / TABLE).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def failed(bundle: Path) -> dict[str, str]:
    """Check -> why it failed."""
    return {check.name: check.detail for check in verify_bundle(bundle).checks if not check.passed}
