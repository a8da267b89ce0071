"""Whatever opens a file refuses a pipe or a device in words and at once: one function of the sources does."""

from __future__ import annotations

import ast
import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.accounting.ledger_chain import read_chain_head
from core.assist.known_mappings import FileShape, recall
from core.bounding.counts_file import read_counts
from core.cli.keygen import _words
from core.console.passphrase import read_passphrase
from core.contributions.delete import files_to_delete
from core.contributions.file_look import is_table, look_at_table
from core.contributions.file_read import read_contributions
from core.draft.project_file import read_project
from core.draft.recovery import left_behind
from core.errors import HexveilError
from core.evaluate.hat_csv import read_hat
from core.geodata.first_look import first_look
from core.geodata.layer_files import layers_in, read_features
from core.hats.day_kinds import read_dates, read_day_kinds
from core.keys.signing_key import load_key
from core.prior.public_source import source_kind
from core.prior.timetable import timetable_visits
from core.published.bundle_frames import read_bundle
from core.read.reader_registry import all_readers
from core.selection.candidate_files import read_box
from core.selection.cells import read_cells
from core.selection.geojson import read_polygons
from core.signed.minisign import read_public_key
from core.spec import load_spec
from core.store.record_cache import RecordCache
from core.system.fault_report import log_fault
from core.verify.verify import verify_bundle
from resources.verifier import hexveil_verify
from tests.syntax_tree import nodes_of

ROOT = Path(__file__).resolve().parent.parent
BUNDLE = ROOT / "tests" / "golden" / "v0.3" / "releases" / "one-query-1.0.0"
SECONDS = 20
posix = pytest.mark.skipif(os.name == "nt", reason="pipes and devices among files are of POSIX")

REFUSED: dict[str, tuple[str, Callable[[Path], object]]] = {
    "spec": ("spec.toml", load_spec),
    "project": ("a.hexveil-project", read_project),
    "signing key": ("key.pem", lambda path: load_key(path, "pass")),
    "public key": ("key.pub", lambda path: read_public_key(str(path))),
    "ledger": ("ledger.sqlite", Ledger.open),
    "head of a ledger": ("ledger.head", read_chain_head),
    "boundary": ("city.geojson", read_polygons),
    "cells": ("cells.txt", lambda path: read_cells(path, 7)),
    "dates": ("dates.txt", read_dates),
    "kinds of day": ("kinds.csv", read_day_kinds),
    "values of a HAT": ("hat.csv", lambda path: read_hat(path, 65)),
    "public counts": ("counts.csv", lambda path: read_counts(path, 7)),
    "kind of public counts": ("feed.zip", source_kind),
    "timetable": ("feed.zip", lambda path: timetable_visits(path, None, None, 10)),  # type: ignore[arg-type]
    "contribution table": ("table.parquet", read_contributions),
    "look at a table": ("table.parquet", look_at_table),
    "whether it is a table": ("table.parquet", is_table),
    "part of a table": ("table/part-0.parquet", lambda path: read_contributions(path.parent)),
    "table to delete": ("table/part-0.parquet", lambda path: files_to_delete(path.parent)),
    "layer GeoJSON": ("a.geojson", read_features),
    "layer GeoPackage": ("a.gpkg", layers_in),
    "layer MBTiles": ("a.mbtiles", first_look),
    "bundle": ("bundle.zip", read_bundle),
    "packed bundle": ("bundle.zip", verify_bundle),
    **{
        f"records {ending}{packed}": (f"a{ending}{packed}", reader.preview)
        for reader in all_readers()
        for ending in reader.endings
        for packed in ("", ".gz")
    },
}
"""What reads a file that somebody names -> its name, and how it is read: that tells what, where and mend."""


def _bundle_with(name: str, path: Path) -> Path:
    """A bundle, and beside or in it a link to the path."""
    bundle = path.parent / BUNDLE.name
    shutil.copytree(BUNDLE, bundle)
    place = bundle.parent / name
    place.unlink(missing_ok=True)
    if path.is_fifo():
        place.hardlink_to(path)
    else:
        place.symlink_to("/dev/null")
    return bundle


def _key_note() -> str:
    key = read_public_key(str(BUNDLE / "release-key.pub"))
    return f"{key.identity[::-1].hex().upper()}.key.json"


def _holds(bundle: Path) -> bool:
    """Of program and verifier, which agree."""
    holds = verify_bundle(bundle).ok
    assert (hexveil_verify.main([str(bundle)]) == 0) == holds
    return holds


ANSWERED: dict[str, tuple[str, Callable[[Path], object], object]] = {
    "mappings of earlier imports": (
        "m.json",
        lambda path: recall(path, FileShape(kind="", columns=())),
        None,
    ),
    "box": ("box.geojson", read_box, None),
    "recovery": ("recovery/" + "0" * 16 + ".hexveil-project", lambda path: left_behind(path.parent)[0], []),
    "loaded records": (
        f"{'a' * 64}/meta.json",
        lambda path: RecordCache(path.parent.parent).find("a" * 64),
        None,
    ),
    "notice": ("n", lambda path: _holds(_bundle_with(f"{BUNDLE.name}.notice.json", path)), True),
    "key note": ("n", lambda path: _holds(_bundle_with(_key_note(), path)), True),
    "file of a bundle": ("n", lambda path: _holds(_bundle_with(f"{BUNDLE.name}/README.md", path)), False),
    "manifest": ("n", lambda path: verify_bundle(_bundle_with(f"{BUNDLE.name}/SHA256SUMS", path)).ok, False),
    "verifier's folder": ("bundle.zip", lambda path: hexveil_verify.main([str(path)]), 2),
    "verifier's key": (
        "k.pub",
        lambda path: hexveil_verify.main([str(BUNDLE), "--public-key", str(path)]),
        2,
    ),
}
"""What reads a file that may be missing -> its name, how it is read, and what is answered."""


@pytest.fixture(params=["pipe", "device"])
def put(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    def at(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path) if request.param == "pipe" else path.symlink_to("/dev/null")

    return at


def _soon(path: Path, read: Callable[[Path], object]) -> object:
    """What it gives or raises; who waits for the pipe is let go, and told of."""
    got: list[object] = []

    def run() -> None:
        try:
            got.append(read(path))
        except BaseException as error:
            got.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(SECONDS)
    waits = worker.is_alive()
    while worker.is_alive():
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        worker.join(0.1)
    assert not waits, "it waits for whoever writes to the pipe"
    return got[0]


@posix
@pytest.mark.parametrize("what", REFUSED)
def test_a_pipe_or_a_device_is_refused_in_words(
    what: str, tmp_path: Path, put: Callable[[Path], None]
) -> None:
    name, read = REFUSED[what]
    put(tmp_path / name)
    error = _soon(tmp_path / name, read)
    assert isinstance(error, HexveilError), error
    assert error.what
    assert error.where
    assert error.mend


@posix
@pytest.mark.parametrize("what", ANSWERED)
def test_a_pipe_or_a_device_counts_as_missing(what: str, tmp_path: Path, put: Callable[[Path], None]) -> None:
    name, read, answer = ANSWERED[what]
    put(tmp_path / name)
    assert _soon(tmp_path / name, read) == answer


@posix
def test_a_passphrase_may_come_through_a_pipe_and_is_not_waited_for_where_nobody_writes(
    tmp_path: Path,
) -> None:
    """`--passphrase-file <(pass show hexveil)`: what is said there lies on no disk."""
    reading, writing = os.pipe()
    os.write(writing, b"correct horse\r\n")
    os.close(writing)
    try:
        assert read_passphrase(f"/dev/fd/{reading}") == "correct horse"
    finally:
        os.close(reading)
    os.mkfifo(tmp_path / "pipe")
    assert _soon(tmp_path / "pipe", lambda path: read_passphrase(str(path))) == ""
    assert _soon(tmp_path / "pipe", lambda path: _words(str(path))) == ""
    for read in (read_passphrase, _words):
        error = _soon(Path("/dev/zero"), lambda path, read=read: read(str(path)))  # type: ignore[misc]
        assert isinstance(error, HexveilError)
        assert "a pipe or a device" in error.what


@posix
def test_settings_that_are_a_pipe_are_set_aside(tmp_path: Path) -> None:
    """Qt waits for it with Python's lock in its hand: so in a process of its own."""
    os.mkfifo(tmp_path / "settings.ini")
    text = (
        "import sys; from pathlib import Path; from core.system.paths import Home; "
        "from ui.session.settings import Settings; print(Settings(Home(Path(sys.argv[1]))).recent_files)"
    )
    done = subprocess.run(
        [sys.executable, "-c", text, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * SECONDS,
        check=True,
    )
    assert done.stdout == "()\n"
    assert (tmp_path / "settings.ini.set-aside").is_fifo()


@posix
def test_a_fault_is_not_told_to_a_pipe_that_nobody_reads(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "errors.log")
    assert _soon(tmp_path / "errors.log", lambda path: log_fault(path, ValueError())) is None


OPENING = {
    *(
        "read_text",
        "read_bytes",
        "FileIO",
        "OSFile",
        "memory_map",
        "fromfile",
        "memmap",
        "loadtxt",
        "open_code",
    ),
    *("is_zipfile", "ZipFile", "ParquetFile", "ParquetDataset", "read_csv", "read_excel", "read_parquet"),
    *("load_workbook", "connect", "TarFile"),
}
"""Names under which libraries open what a path leads to."""
MODE = re.compile(r"[rwxabt+]+")
ALLOWED = {
    ("core/system/regular_files.py", "open"): "this is the one",
    ("core/catalogue.py", "read_text"): "the program's own",
    ("core/records/zone_names.py", "read_text"): "of an installed package",
    ("core/published/bundle_frames.py", "read_csv"): "of bytes",
    ("core/read/workbooks/workbook_extent.py", "is_zipfile"): "of bytes",
    ("core/read/archives.py", "is_zipfile"): "of an open file",
    ("core/read/archives.py", "ZipFile"): "of an open file",
    ("core/contributions/file_read.py", "ParquetFile"): "of an open file",
    ("core/engines/spark_files.py", "ParquetFile"): "of an open file",
    ("core/read/readers/parquet_files.py", "ParquetFile"): "of an open file",
    ("core/read/readers/parquet_files.py", "OSFile"): "beside the open file, for threads without Python",
    ("core/read/encodings.py", "OSFile"): "beside the open file, for threads without Python",
    ("core/read/map_database.py", "connect"): "after `is_database` has opened it",
    ("core/accounting/ledger_file.py", "connect"): "to read and write, which waits for nobody",
    ("core/store/column_files.py", "FileIO"): "its own, just written",
    ("core/store/column_files.py", "fromfile"): "of an open file",
    ("core/engines/duckdb.py", "connect"): "its own, new",
    ("core/store/folder_column_cache.py", "open"): "its own, just written",
    ("core/store/store_build.py", "FileIO"): "writes a new one",
    ("core/synthesize/synthetic_records.py", "open"): "writes a new one",
    ("core/verify/pack_bundle.py", "ZipFile"): "writes",
    ("core/verify/pack_bundle.py", "open"): "writes a member",
    ("core/engines/spark.py", "ZipFile"): "writes",
    ("core/system/files.py", "open"): "writes new ones, syncs folders",
    ("core/accounting/ledger_room.py", "open"): "writes a new one",
    ("core/system/fault_report.py", "open"): "writes, and waits for nobody",
    ("core/cli/__init__.py", "open"): "nothing, to write to",
}
"""(file, call) -> why it may open what it opens by itself."""


def _openings(tree: ast.AST) -> Iterator[str]:
    for node in nodes_of(tree):
        if not isinstance(node, ast.Call):
            continue
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [
            one.value
            for one in (*node.args, *(key.value for key in node.keywords))
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        plain = owner is None or (
            isinstance(owner, ast.Name) and owner.id in ("os", "io", "gzip", "lzma", "bz2")
        )
        if name in OPENING or (
            name == "open" and (plain or not node.args or any(MODE.fullmatch(text) for text in texts))
        ):
            yield name


def test_no_other_source_of_core_opens_files() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in (ROOT / "core").rglob("*.py")
        if any(map((text := path.read_text("utf-8")).__contains__, {*OPENING, "open"}))
        for name in _openings(ast.parse(text))
    }
    assert found - ALLOWED.keys() == set()
    assert ALLOWED.keys() - found == set()


@pytest.mark.parametrize(
    "text",
    [
        "open(p)",
        "p.open()",
        "p.open('rb')",
        "p.open(mode='r')",
        "os.open(p, f)",
        "p.read_text()",
        "gzip.open(p)",
    ],
)
def test_a_planted_opening_is_found(text: str) -> None:
    assert list(_openings(ast.parse(text))) != []
    assert list(_openings(ast.parse("source.open(name); Ledger.open(path)"))) == []
