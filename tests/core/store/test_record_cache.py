"""The cache of loaded records: private, limited, never wrong, never in the way."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import mmap
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock

from core.clean.mapping import Box, DerivedSpeed
from core.errors import InputError
from core.progress import Cancelled
from core.read.file_batches import DamagedFiles
from core.read.file_format import FileFormat
from core.read.file_stamps import stamps_of
from core.records.column_cache import MemoryColumnCache
from core.store import disk_space, record_store
from core.store.column_files import ColumnShape
from core.store.load_records import Loaded, load_records
from core.store.record_cache import RecordCache, cache_key
from core.store.record_store import STORE_VERSION, open_store, write_store
from tests.records import (
    Ping,
    assert_same,
    assert_tells,
    instant,
    mapping_in,
    rules,
    sample_pings,
    settle,
    stop_at,
    write_csv,
)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "a.csv", sample_pings())


@pytest.fixture
def cache(tmp_path: Path) -> RecordCache:
    return RecordCache(tmp_path / "home" / "cache")


def _entries(cache: RecordCache) -> list[Path]:
    return sorted(path for path in cache.folder.iterdir() if path.is_dir())


def _forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object, **__: object) -> None:
        raise AssertionError("the files were read again")

    monkeypatch.setattr("core.store.load_records.build_store", read)


def _same(left: Loaded, right: Loaded) -> None:
    assert_same(left.records, right.records)
    assert left.report == right.report


def test_what_records_mean_is_no_reason_to_read_them_again(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pings or events: said of what is loaded, whether it comes from files or from the cache."""
    events = dataclasses.replace(rules(), pings="events")
    assert not load_records([csv], events).records.tell_dwell
    assert load_records([csv], rules(), cache=cache).records.tell_dwell
    _forbid_reading(monkeypatch)
    assert not load_records([csv], events, cache=cache).records.tell_dwell
    assert load_records([csv], rules(), cache=cache).records.tell_dwell


def test_a_second_load_reads_nothing_and_gives_the_same(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = load_records([csv], rules())
    first = load_records([csv], rules(), cache=cache)
    _forbid_reading(monkeypatch)
    again = load_records([csv], rules(), cache=RecordCache(cache.folder))
    _same(first, plain)
    _same(again, plain)
    with pytest.raises(ValueError, match="read-only"):
        again.records.value[0] = 1


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_the_folder_is_private(csv: Path, cache: RecordCache) -> None:
    cache.folder.mkdir(parents=True, mode=0o755)
    load_records([csv], rules(), cache=cache)
    for path in (cache.folder, *_entries(cache)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    deep = RecordCache(cache.folder.parent / "new" / "cache")
    load_records([csv], rules(), cache=deep)
    assert stat.S_IMODE(deep.folder.parent.stat().st_mode) == 0o700


def test_every_rule_and_every_file_is_part_of_the_key(tmp_path: Path, csv: Path) -> None:
    other = write_csv(tmp_path / "b.csv", sample_pings())
    mapping = mapping_in("km/h")
    key_rules = [
        rules(),
        rules(mapping_in("mph")),
        rules(zone=None),
        rules(zone="UTC"),
        rules(upper_bound=64_000),
        rules(dataclasses.replace(mapping, physical_max=100_000)),
        rules(dataclasses.replace(mapping, box=Box(south=0, west=0, north=90, east=90))),
        rules(dataclasses.replace(mapping, date="day")),
        dataclasses.replace(rules(), format=FileFormat(decimal=",")),
    ]
    keys = {cache_key(stamps_of(files), item) for item in key_rules for files in ([csv], [csv, other])}
    assert len(keys) == 2 * len(key_rules)
    assert cache_key(stamps_of([other, csv]), rules()) == cache_key(stamps_of([csv, other]), rules())
    assert cache_key(stamps_of([csv, csv]), rules()) != cache_key(stamps_of([csv]), rules())


def test_a_key_of_usual_rules_is_that_of_versions_that_knew_no_others(csv: Path) -> None:
    stamps = stamps_of([csv])
    read_by = dataclasses.asdict(rules())
    del read_by["pings"], read_by["skip_damaged"], read_by["mapping"]["date"]
    del read_by["format"]["skip_lines"]
    del read_by["mapping"]["vehicle_fold"], read_by["format"]["missing"]
    del read_by["mapping"]["public_columns"], read_by["filters"], read_by["labels"], read_by["zones"]
    facts = [STORE_VERSION, [dataclasses.astuple(stamp) for stamp in stamps], read_by]
    text = json.dumps(facts, sort_keys=True, default=str)
    assert cache_key(stamps, rules()) == hashlib.sha256(text.encode()).hexdigest()


def test_another_layout_opens_nothing_of_this_one_and_removes_it(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache_key(stamps_of([csv]), rules())
    load_records([csv], rules(), cache=cache)
    monkeypatch.setattr(record_store, "STORE_VERSION", STORE_VERSION + 1)
    assert cache_key(stamps_of([csv]), rules()) != before
    cache.prepare()
    assert _entries(cache) == []


def test_derived_speeds_of_before_are_read_anew_and_measured_ones_are_not(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of version 2 crossed midnight."""
    derived = rules(mapping_in("km/h", value="", derived=DerivedSpeed(max_gap_seconds=86_400)))
    retained = cache_key(stamps_of([csv]), rules())
    with monkeypatch.context() as before:
        before.setattr(record_store, "DERIVED_STORE_VERSION", STORE_VERSION)
        old = cache_key(stamps_of([csv]), derived)
        for how in (rules(), derived):
            load_records([csv], how, cache=cache)
    assert {entry.name for entry in _entries(cache)} == {retained, old}
    assert cache_key(stamps_of([csv]), derived) != old
    cache.prepare()
    assert {entry.name for entry in _entries(cache)} == {retained}


def test_a_changed_file_is_read_again_and_its_old_entry_goes(csv: Path, cache: RecordCache) -> None:
    load_records([csv], rules(), cache=cache)
    old = _entries(cache)
    write_csv(csv, sample_pings()[:5])
    assert len(load_records([csv], rules(), cache=cache).records) == 5
    assert len(_entries(cache)) == 1
    assert _entries(cache) != old
    csv.unlink()
    cache.prepare()
    assert _entries(cache) == []


@pytest.mark.parametrize("name", ["meta.json", "vehicles.json", "value.column", "sources.json"])
def test_a_damaged_entry_is_made_anew(csv: Path, cache: RecordCache, name: str) -> None:
    first = load_records([csv], rules(), cache=cache)
    expected = load_records([csv], rules())
    del first
    path = _entries(cache)[0] / name
    path.write_bytes(path.read_bytes()[:-2])
    _same(load_records([csv], rules(), cache=cache), expected)
    assert len(_entries(cache)) == 1


def test_the_least_recently_used_entry_goes_first(
    tmp_path: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [write_csv(tmp_path / f"{number}.csv", sample_pings()) for number in range(3)]
    for number, path in enumerate(files[:2]):
        load_records([path], rules(), cache=cache)
        used = cache.folder / cache_key(stamps_of([path]), rules()) / "used"
        os.utime(used, (1000 - number, 1000 - number))
    limit = cache.size() * 5 // 4
    load_records([files[2]], rules(), cache=RecordCache(cache.folder, limit))
    assert cache.size() <= limit
    _forbid_reading(monkeypatch)
    load_records([files[0]], rules(), cache=cache)
    load_records([files[2]], rules(), cache=cache)
    with pytest.raises(AssertionError, match="read again"):
        load_records([files[1]], rules(), cache=cache)


def test_what_is_in_use_stays_above_the_limit(tmp_path: Path, cache: RecordCache) -> None:
    tiny = RecordCache(cache.folder, 1)
    files = [write_csv(tmp_path / f"{number}.csv", sample_pings()) for number in range(2)]
    first = load_records([files[0]], rules(), cache=tiny)
    second = load_records([files[1]], rules(), cache=tiny)
    assert len(_entries(cache)) == 2
    assert len(first.records) == len(second.records)
    del first, second
    load_records([files[0]], rules(upper_bound=1000), cache=tiny)
    assert len(_entries(cache)) == 1


def test_clearing_frees_everything_and_loaded_records_stay(csv: Path, cache: RecordCache) -> None:
    assert (cache.size(), cache.clear()) == (0, 0)
    loaded = load_records([csv], rules(), cache=cache)
    size = cache.size()
    assert size > 18 * len(loaded.records)
    if os.name == "nt":
        return
    assert cache.clear() == size
    assert _entries(cache) == []
    _same(loaded, load_records([csv], rules()))
    group = {"code": loaded.records.value.copy()}
    loaded.records.column_cache.put("cells", group)
    found = loaded.records.column_cache.get("cells")
    assert found is not None
    assert found["code"].tolist() == group["code"].tolist()
    assert cache.size() == 0


def test_the_shelf_of_an_entry_is_found_with_it(csv: Path, cache: RecordCache) -> None:
    loaded = load_records([csv], rules(), cache=cache)
    loaded.records.column_cache.put("cells", {"code": loaded.records.value})
    deadline = time.monotonic() + 10
    while not list(cache.folder.glob("*/shelf/*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    again = load_records([csv], rules(), cache=cache).records.column_cache.get("cells")
    assert again is not None
    assert again["code"].tolist() == loaded.records.value.tolist()


def test_foreign_folders_are_never_touched(csv: Path, cache: RecordCache) -> None:
    mine = cache.folder / "photographs"
    mine.mkdir(parents=True)
    (mine / "cat.jpg").write_bytes(b"cat")
    load_records([csv], rules(), cache=RecordCache(cache.folder, 1))
    cache.clear()
    assert (mine / "cat.jpg").read_bytes() == b"cat"


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path, csv: Path) -> None:
    (tmp_path / "file").write_text("x")
    loaded = load_records([csv], rules(), cache=RecordCache(tmp_path / "file" / "cache"))
    _same(loaded, load_records([csv], rules()))


def test_a_folder_in_which_nothing_can_be_locked_is_done_without(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    acquire = FileLock.acquire

    def refuse(lock: FileLock, **how: bool) -> object:
        if Path(lock.lock_file).parent == cache.folder:
            raise OSError(37, "No locks available")
        return acquire(lock, **how)

    monkeypatch.setattr(FileLock, "acquire", refuse)
    _same(load_records([csv], rules(), cache=cache), load_records([csv], rules()))
    assert list(cache.folder.iterdir()) == []


def test_a_record_of_the_future_counts_when_its_time_has_come(
    tmp_path: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = instant("2024-01-01T12:00:00") / 1000
    monkeypatch.setattr("time.time", lambda: now)
    late = [Ping("bus", int(now * 1000) + step, 21.1, 72.8, 30.0) for step in (-60_000, 60_000)]
    path = write_csv(tmp_path / "live.csv", late)
    assert load_records([path], rules(), cache=cache).report.dropped == {"time_limit": 1}
    with monkeypatch.context() as patch:
        _forbid_reading(patch)
        assert load_records([path], rules(), cache=cache).report.dropped == {"time_limit": 1}
    now += 61
    assert load_records([path], rules(), cache=cache).report.dropped == {}


def test_cancelling_at_any_moment_leaves_nothing(tmp_path: Path, csv: Path, cache: RecordCache) -> None:
    earlier = load_records([csv], rules(), cache=cache)
    del earlier
    retained = sorted(cache.folder.rglob("*"))
    other = write_csv(tmp_path / "b.csv", sample_pings())
    for wanted in range(1, 100):
        try:
            load_records([other], rules(), stop_at(wanted), cache)
        except Cancelled:
            assert sorted(cache.folder.rglob("*")) == retained
            continue
        break
    assert 5 < wanted < 99, "the work ended after a few calls, each of which stopped it once"
    assert len(_entries(cache)) == 2
    assert len(load_records([csv], rules(), cache=cache).records) == len(sample_pings())


def test_a_full_disk_is_told_and_leaves_nothing(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr("core.store.column_files._write", full)
        with pytest.raises(InputError, match="disk is full") as caught:
            load_records([csv], rules(), cache=cache)
    assert_tells(caught.value)
    assert list(cache.folder.iterdir()) == []
    monkeypatch.setattr(disk_space, "space_needed", lambda _: 1 << 60)
    with pytest.raises(InputError, match="too little room"):
        load_records([csv], rules(), cache=cache)
    with pytest.raises(InputError, match="too little room"):
        load_records([csv], rules())


BUILDER = """
import sys, time
from pathlib import Path
from typing import Any
from core.store.record_cache import RecordCache
from core.store.load_records import load_records
from tests.records import rules

def progress(done, text=""):
    print(text, flush=True)
    if sys.argv[3] == "hang" and text.startswith("Sorting"):
        time.sleep(60)

loaded = load_records([Path(sys.argv[1])], rules(), progress, RecordCache(Path(sys.argv[2])))
print(len(loaded.records), len(loaded.records.vehicles), flush=True)
"""


def _builder(csv: Path, cache: RecordCache, how: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", BUILDER, str(csv), str(cache.folder), how]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_what_a_killed_process_left_is_cleaned_up(csv: Path, cache: RecordCache) -> None:
    with _builder(csv, cache, "hang") as builder:
        assert builder.stdout is not None
        while not builder.stdout.readline().startswith("Sorting"):
            pass
        cache.prepare()
        cache.clear()
        assert [path.name.partition("-")[0] for path in _entries(cache)] == ["building"]
        builder.kill()
    cache.prepare()
    assert list(cache.folder.iterdir()) == []
    assert len(load_records([csv], rules(), cache=cache).records) == len(sample_pings())


def test_two_processes_may_make_one_entry(csv: Path, cache: RecordCache) -> None:
    with _builder(csv, cache, "go") as other:
        assert other.stdout is not None
        while not other.stdout.readline().startswith("Sorting"):
            pass
        loaded = load_records([csv], rules(), cache=cache)
        lines = other.stdout.read().splitlines()
    assert lines[-1] == f"{len(loaded.records)} 3" == f"{len(sample_pings())} 3"
    assert len(_entries(cache)) == 1


def test_an_entry_that_another_made_first_is_used(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = cache_key(stamps_of([csv]), rules())
    keep = RecordCache.keep
    made: list[Loaded] = []

    def keep_late(self: RecordCache, folder: Path, key: str) -> None:
        monkeypatch.setattr(RecordCache, "keep", keep)
        made.append(load_records([csv], rules(), cache=self))
        keep(self, folder, key)

    monkeypatch.setattr(RecordCache, "keep", keep_late)
    _same(load_records([csv], rules(), cache=cache), made[0])
    assert [path.name for path in _entries(cache)] == [key]


def _memory(column: np.ndarray[Any, Any]) -> object:
    """What holds the entries of a column."""
    held: object = column
    while isinstance(held, np.ndarray):
        held = held.base
    return held.obj if isinstance(held, memoryview) else held


@pytest.mark.parametrize(
    "mapped_files_go",
    [
        pytest.param(
            True,
            marks=pytest.mark.skipif(sys.platform == "win32", reason="a mapped file cannot be removed there"),
        ),
        False,
    ],
)
def test_where_nothing_can_be_renamed_records_are_loaded_all_the_same(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch, mapped_files_go: bool
) -> None:
    """Where mapped files cannot be removed, as on Windows, nothing is mapped and no position stays."""
    monkeypatch.setattr(RecordCache, "keep", lambda *_: None)
    monkeypatch.setattr("core.store.load_records.MAPPED_FILES_GO", mapped_files_go)
    loaded = load_records([csv], rules(), cache=cache)
    assert isinstance(_memory(loaded.records.value), mmap.mmap) == mapped_files_go
    _same(loaded, load_records([csv], rules()))
    assert _entries(cache) == []
    shutil.rmtree(cache.folder)
    assert len(loaded.records) == len(sample_pings())


def test_files_that_were_left_out_are_refused_again_where_they_have_to_be(
    csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache changes nothing about what is read, refused and reported."""
    empty, damaged = csv.with_name("b.jsonl"), csv.with_name("c.jsonl")
    empty.write_bytes(b"")
    damaged.write_text('[{"id": 1')
    files, skips = [csv, empty, damaged], dataclasses.replace(rules(), skip_damaged=True)
    whole = load_records([csv], rules(), cache=cache).records
    first = load_records(files, skips, cache=cache)
    assert_same(first.records, whole)
    with pytest.raises(DamagedFiles):
        load_records(files, rules(), cache=cache)
    load_records([csv, empty], rules(), cache=cache, empty_allowed=True)
    _forbid_reading(monkeypatch)
    report = load_records(files, skips, cache=cache).report
    assert report == first.report
    assert (report.files_empty, report.files_damaged) == (1, 1)
    assert report.examples == {"files_damaged": (("c.jsonl", 0),)}
    load_records([csv, empty], rules(), cache=cache, empty_allowed=True)


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_every_file_of_an_entry_is_its_owners(csv: Path, cache: RecordCache) -> None:
    """Also where somebody opens the folder for others."""
    records = load_records([csv], rules(), cache=cache).records
    records.column_cache.put("cells", {"cell": np.zeros(len(records), np.int64)})
    settle()
    files = [path for path in cache.folder.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_a_copy_whose_ids_fold_otherwise_by_now_is_read_anew_and_no_other(
    tmp_path: Path, csv: Path, cache: RecordCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry as an older version left it, with ids that were trimmed and case-folded alone."""
    wide = write_csv(
        tmp_path / "b.csv", [ping._replace(vehicle=f"{ping.vehicle}  x") for ping in sample_pings()]
    )
    plain = load_records([wide], rules(), cache=cache)
    load_records([csv], rules(), cache=cache)
    entry = cache.folder / cache_key(stamps_of([wide]), rules())
    _, facts = open_store(entry, MemoryColumnCache())
    body = json.loads((entry / "meta.json").read_bytes())[1]
    shapes = {
        name: ColumnShape(dtype=kind, length=length) for name, (kind, length) in body["columns"].items()
    }
    older = tuple(name.replace(" x", "  x") for name in facts.vehicles)
    for name in ("vehicles.json", "meta.json"):
        (entry / name).unlink()
    write_store(entry, dataclasses.replace(facts, vehicles=older, other_texts={}), shapes)
    again = load_records([wide], rules(), cache=cache)
    _same(again, plain)
    assert again.records.vehicles == facts.vehicles
    assert again.records.other_texts == {
        name: (text,) for name, text in zip(facts.vehicles, older, strict=True)
    }
    _forbid_reading(monkeypatch)
    _same(load_records([wide], rules(), cache=cache), plain)
    load_records([csv], rules(), cache=cache)
