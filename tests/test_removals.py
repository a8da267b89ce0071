"""What the program removes it knows by exact names: what others put beside it stays (docs/places.md)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.accounting.ledger_room import room_beside
from core.draft.draft import Draft
from core.draft.project_file import PROJECT_SUFFIX, Project, project_bytes
from core.draft.recovery import left_behind
from core.release.bundle import Staging
from core.store.folder_column_cache import FolderColumnCache
from core.store.lock_files import remove_stale_locks
from core.store.record_cache import RecordCache
from core.system.files import atomic_private_folder, write_atomic
from core.system.paths import Home
from ui.web_map.web_engine import WebEngine

HEX = "0123456789ab"
ENDED = 999_999_999
"""A number that no process has."""


def _rooms(folder: Path) -> None:
    with room_beside(folder / "ledger.sqlite", 10):
        pass


def _cache(folder: Path) -> None:
    cache = RecordCache(folder, limit_bytes=0)
    cache.prepare()
    cache.shrink()
    cache.clear()


def _columns(folder: Path) -> None:
    retained = FolderColumnCache(folder)
    retained.put("speed", {"a": np.arange(3)})
    while not (folder / "speed.group.json").exists() or (folder / f"speed.{HEX}.0.column").exists():
        pass


def _folder(folder: Path) -> None:
    with atomic_private_folder(folder / "table"):
        pass


def _web_engine(folder: Path) -> None:
    engine = WebEngine()
    engine.remember_in(folder)
    engine.try_again()


def _recovery(folder: Path) -> None:
    for one in left_behind(folder)[0]:
        one.discard()


REMOVALS: dict[str, tuple[Callable[[Path], object], tuple[str, ...], tuple[str, ...]]] = {
    "temporary files of a name": (
        lambda folder: write_atomic(folder / "table", b""),
        (f".table.{HEX}.partial",),
        (".table.partial", f".table.{HEX}.partial.txt", ".table.thesis.partial", f"table.{HEX}.partial"),
    ),
    "temporary folders of a name": (
        _folder,
        (f".table.{HEX}.partial/part-0.parquet",),
        (".table.partial/x", ".table.thesis.partial/x", f".thesis.{HEX}.partial/x"),
    ),
    "the home": (
        lambda folder: Home(folder).sweep(),
        (f".settings.ini.{HEX}.partial", f"keys/.release-key.pem.{HEX}.partial"),
        ("settings.partial", "keys/mine.pem", f"thesis/.x.{HEX}.partial"),
    ),
    "room beside the ledger": (
        _rooms,
        (f".ledger.sqlite.{HEX}.room",),
        (".ledger.sqlite.my.room", "living.room", f".thesis.{HEX}.room"),
    ),
    "locks": (
        remove_stale_locks,
        (f"{'a' * 64}.{HEX}.claim", f"building-.{HEX}.claim"),
        ("insurance.claim", "my.insurance.claim", f"{HEX}.claim.pdf"),
    ),
    "loaded records": (
        _cache,
        (f"{'a' * 64}/meta.json", f"building-{ENDED}-{HEX}/spill", f"removing-{HEX}/used"),
        (f"{'A' * 64}/x", "building-plans/house.txt", "removing-stains/x", "insurance.claim", "thesis.txt"),
    ),
    "columns beside loaded records": (
        _columns,
        (f"speed.{HEX}.0.column",),
        ("speed.notes.column", f"speed.{HEX}.mine.column", f"thesis.{HEX}.0.column", "speed.txt"),
    ),
    "a bundle in the making": (
        lambda folder: Staging.create(folder, "bundle").discard(),
        (f".bundle.partial-{ENDED}/data/x",),
        (".bundle.partial-thesis/x", f".thesis.partial-{ENDED}/x", f".bundle.partial-{ENDED}.txt"),
    ),
    "marks of maps that were to start": (
        _web_engine,
        (f"map-starting-{ENDED}",),
        ("map-starting-points", "map.txt"),
    ),
    "work that was left behind": (
        _recovery,
        (f"{'0' * 16}.claim",),
        (f"mine{PROJECT_SUFFIX}", "insurance.claim", f"{'0' * 16}.txt"),
    ),
}


@pytest.mark.parametrize("what", REMOVALS)
def test_what_lies_beside_stays(what: str, tmp_path: Path) -> None:
    remove, ours, theirs = REMOVALS[what]
    for name in (*ours, *theirs):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    if what == "work that was left behind":
        (tmp_path / f"{'0' * 16}{PROJECT_SUFFIX}").write_bytes(project_bytes(Project(draft=Draft())))
    for path in (*tmp_path.rglob("*"), tmp_path):
        os.utime(path, (1, 1))
    remove(tmp_path)
    assert [name for name in ours if (tmp_path / name).exists()] == []
    assert [name for name in theirs if (tmp_path / name).read_text("utf-8") != name] == []


def test_every_kind_stands_in_the_documentation() -> None:
    """The table of docs/places.md has a row for each, under the name that it has here."""
    text = (Path(__file__).resolve().parents[1] / "docs" / "places.md").read_text("utf-8")
    assert [what for what in REMOVALS if f"| {what}" not in text] == []
