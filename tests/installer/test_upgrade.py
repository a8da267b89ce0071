"""An upgrade from the last version keeps ledger, key, loaded records and bundles (tests/upgrade.py)."""

from __future__ import annotations

from pathlib import Path

from tests.golden.steady import GOLDEN
from tests.upgrade import IN_PROCESS, Upgraded, as_on_windows, try_upgrade

NEWEST = sorted(path.name for path in GOLDEN.glob("v*"))[-1]


def test_what_the_last_version_left_is_opened_by_this_one(tmp_path: Path) -> None:
    lines = try_upgrade(Upgraded(program=IN_PROCESS, folder=tmp_path, version=NEWEST))
    assert [line.partition(":")[0] for line in lines] == [
        "ledger",
        "cache",
        "key and stored draws",
        "bundles",
    ]


def test_a_file_has_another_name_under_wine() -> None:
    assert as_on_windows(Path("/tmp/a b")) == "Z:\\tmp\\a b"
