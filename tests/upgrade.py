"""What an older version left, as this one finds it after an upgrade: the program itself opens all of it.

    python -m tests.upgrade                                the sources
    python -m tests.upgrade dist/hexveil/hexveil           a built program
    python -m tests.upgrade --windows wine HEXVEIL.EXE     one under wine, which is told of files as of Z:

Ledger, key, private copy of records, published bundles and requests of `tests/golden`. Settings and projects
belong to the window: `tests/golden/test_golden.py` opens them.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.cli import main as command_line
from core.read.file_stamps import Stamp
from core.spec import load_spec
from core.store.record_cache import cache_key, write_sources
from tests.city import PASSPHRASE
from tests.golden.steady import GOLDEN, INPUT, POPULATION, RELEASED, key

SOURCES = (sys.executable, str(GOLDEN.parents[1] / "main.py"))
IN_PROCESS: tuple[str, ...] = ()
"""The command line of the sources, in this process: ten programs that start take seven seconds."""
WRITTEN = 1_700_000_000
"""When the records were written, in seconds: whole ones, which every file system keeps."""
SPEC = "one-query"


def as_on_windows(path: Path) -> str:
    """How a program under wine names a file of this machine."""
    return "Z:" + str(path).replace("/", "\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgraded:
    """A home of an older version, in the hands of a program of today."""

    program: Sequence[str]
    folder: Path
    """Holds `home`, the records and the specs."""
    version: str
    named: Callable[[Path], str] = str
    """How the program names a file."""

    def install(self) -> None:
        """Put everything where its owner had it, the private copy of the records as well."""
        shutil.copytree(GOLDEN / self.version / "home", self.folder / "home")
        for path in INPUT.iterdir():
            shutil.copyfile(path, self.folder / path.name)
        records = self.folder / "records.csv"
        os.utime(records, (WRITTEN, WRITTEN))
        stamp = Stamp(path=self.named(records), size=records.stat().st_size, mtime_ns=WRITTEN * 1_000_000_000)
        (entry,) = (path for path in (self.folder / "home" / "cache").iterdir() if len(path.name) == 64)
        (entry / "sources.json").unlink()
        write_sources(entry, [stamp])
        entry.rename(entry.with_name(cache_key([stamp], load_spec(INPUT / f"{SPEC}.toml").data.rules)))

    def forget_records(self) -> None:
        """The same size and time: whoever reads the file anew finds the first record alone in it."""
        records = self.folder / "records.csv"
        first = b"".join(records.read_bytes().splitlines(keepends=True)[:2])
        records.write_bytes(first.ljust(records.stat().st_size, b"\n"))
        os.utime(records, (WRITTEN, WRITTEN))

    def run(self, *words: str | Path) -> str:
        """What a command prints. Raises AssertionError where it does not end well."""
        told = [self.named(word) if isinstance(word, Path) else word for word in words]
        home = {"HEXVEIL_HOME": self.named(self.folder / "home"), "HEXVEIL_PASSPHRASE": PASSPHRASE}
        if self.program == IN_PROCESS:
            return _printed(told, home)
        done = subprocess.run(
            [*self.program, *told],
            env=os.environ | home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=600,
        )
        assert done.returncode == 0, f"{told}: {done.returncode}\n{done.stderr}"
        return done.stdout

    def population(self) -> Any:
        """The population of the ledger, as the program tells it."""
        (found,) = json.loads(self.run("ledger", "show", "--json"))["populations"]
        return found


def _printed(words: list[str | Path], home: dict[str, str]) -> str:
    said, complained = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        for name, value in home.items():
            patch.setenv(name, value)
        code = command_line([str(word) for word in words])
    assert code == 0, f"{words}: {code}\n{complained.getvalue()}"
    return said.getvalue()


def try_upgrade(upgraded: Upgraded) -> list[str]:
    """What is opened, line by line. Raises AssertionError for what is not as it was."""
    upgraded.install()
    folder, old = upgraded.folder, GOLDEN / upgraded.version
    upgraded.run("ledger", "check")
    before = upgraded.population()
    assert before["name"] == POPULATION
    assert len(before["entries"]) == len(RELEASED)
    lines = [f"ledger: whole, {len(RELEASED)} entries"]

    upgraded.forget_records()
    facts = json.loads(
        upgraded.run("inspect", folder / "records.csv", "--spec", folder / f"{SPEC}.toml", "--json")
    )
    assert facts["rows_used"] > 1
    lines.append(f"cache: {facts['rows_used']} records from the private copy")

    upgraded.run("release", folder / f"{SPEC}.toml", "--out", folder / "out", "--yes")
    (bundle,) = (folder / "out").iterdir()
    published = old / "releases" / f"{SPEC}-1.0.0"
    for table in (published / "data").iterdir():
        assert (bundle / "data" / table.name).read_bytes() == table.read_bytes(), table.name
    after = upgraded.population()
    assert after["entries"] == before["entries"]
    lines.append("key and stored draws: published again with the same numbers, at no cost")

    public = (old / "home" / "keys" / "release-key.pub").read_text("utf-8").split()[-1]
    upgraded.run("verify", bundle, "--public-key", public)
    for name in RELEASED:
        retained = shutil.copytree(old / "releases" / f"{name}-1.0.0", folder / "published" / name)
        upgraded.run("verify", retained, "--public-key", key().public_text)
    lines.append(f"bundles: {len(RELEASED)} of that version and the new one verify")

    for retained in ("settings.ini", "mappings.json"):
        assert (folder / "home" / retained).read_bytes() == (old / "home" / retained).read_bytes()
    return lines


def main(words: list[str]) -> None:
    """As the first lines of this file say."""
    windows = words[:1] == ["--windows"]
    program = words[windows:] or SOURCES
    for version in sorted(path.name for path in GOLDEN.glob("v*")):
        with tempfile.TemporaryDirectory(prefix="hexveil upgrade ü ") as folder:
            upgraded = Upgraded(
                program=program,
                folder=Path(folder),
                version=version,
                named=as_on_windows if windows else str,
            )
            print(version, *try_upgrade(upgraded), sep="\n  ")


if __name__ == "__main__":
    main(sys.argv[1:])
