"""Drives of other computers."""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path, PurePosixPath

import pytest

from core.accounting import ledger_file
from core.accounting.ledger import Ledger
from core.errors import LedgerError
from core.system.network_drive import Mount, is_on_network, kind_of

MOUNTS = [
    Mount("/", "ext4"),
    Mount("/mnt", "nfs4"),
    Mount("/mnt/me/disk", "ext4"),
    Mount("/srv", "ext4"),
    Mount("/srv", "cifs"),
]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/a", "ext4"),
        ("/mnt/me/a", "nfs4"),
        ("/mnts/a", "ext4"),
        ("/mnt/me/disk/a", "ext4"),
        ("/srv/a", "cifs"),
        ("/srv", "cifs"),
    ],
)
def test_the_deepest_and_newest_mount_counts(path: str, kind: str) -> None:
    assert kind_of(PurePosixPath(path), MOUNTS) == kind


def test_this_disk_is_no_network(tmp_path: Path) -> None:
    assert not is_on_network(tmp_path / "not there yet")
    assert kind_of(tmp_path, []) == ""


@pytest.mark.skipif(sys.platform != "win32", reason="drives and shares are those of Windows")
def test_a_share_is_another_computers_and_drive_c_is_not() -> None:
    assert is_on_network(Path("\\\\office\\share\\ledger.sqlite"))
    assert not is_on_network(Path("C:\\ledger.sqlite"))


def test_a_ledger_there_is_neither_made_nor_spent_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    monkeypatch.setattr(ledger_file, "is_on_network", bool)
    with pytest.raises(LedgerError, match="network drive") as caught:
        ledger.set_limit("Buses", per_vehicle=Decimal(10))
    assert "--home" in caught.value.mend
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    ledger.set_limit("Buses", per_vehicle=Decimal(10))
    monkeypatch.setattr(ledger_file, "is_on_network", bool)
    assert "Buses" in {found.name for found in Ledger.open(tmp_path / "ledger.sqlite").populations()}
