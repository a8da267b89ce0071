"""The formats that bundles had, one after the other: what of a bundle `verify` holds against which.

What was published stays true: a format that was released is never changed, the next one gets another name.
Columns and rules that formats share stand with the writers and the checks; here stands what tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.bundle.csv_columns import (
    FIRST_WORDING,
    NEWEST_WORDING,
    SUMMARY_PATHS,
    USUAL_SHAPE,
    DataTable,
    TableShape,
    Wording,
    data_tables,
)
from core.quantity import SPEED, Quantity
from core.signed.bundle_names import (
    DATAPACKAGE,
    LICENSE,
    MANIFEST,
    PRIVACY,
    PUBLIC_KEY,
    README,
    REPORT,
    SIGNATURE,
    STATEMENT_FORMAT,
)

_FILES = (README, LICENSE, DATAPACKAGE, PRIVACY, REPORT, *SUMMARY_PATHS, MANIFEST, SIGNATURE, PUBLIC_KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFormat:
    """One format."""

    name: str
    """What `privacy.json` calls it."""
    files: tuple[str, ...]
    """In every bundle; besides, the data file of each statistic that it holds."""
    wording: Wording
    """What its columns say."""

    @property
    def tables(self) -> Mapping[str, DataTable]:
        """The data file of each statistic of speed, by the statistic's key."""
        return self.tables_of(SPEED)

    def tables_of(self, quantity: Quantity, shape: TableShape = USUAL_SHAPE) -> Mapping[str, DataTable]:
        """The data file of each statistic of a quantity."""
        return data_tables(self.wording, quantity, shape if self.wording.variants else USUAL_SHAPE)


NEWEST_FORMAT = BundleFormat(name=STATEMENT_FORMAT, files=_FILES, wording=NEWEST_WORDING)
FORMATS = MappingProxyType(
    {
        one.name: one
        for one in (
            BundleFormat(name="hexveil-privacy-1", files=_FILES, wording=FIRST_WORDING),
            BundleFormat(name="hexveil-privacy-2", files=_FILES, wording=NEWEST_WORDING),
            NEWEST_FORMAT,
        )
    }
)
"""Name -> format, oldest first."""
