"""`contributions`: a private file for other engines, and a release of it that verifies."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from core.cli import main
from core.contributions import contributions_of
from core.contributions.file_read import read_contributions
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import PASSPHRASE, POPULATION, write_city
from tests.commands import limit
from tests.records import assert_same

TABLE = ('files = ["records.csv"]', 'contributions = "table.parquet"')

DERIVED = ('value = "speed"\nunit = "km/h"\n', "\n[data.derived_speed]\nmax_gap_seconds = 86400\n")


def _write(folder: Path, *arguments: str) -> int:
    spec = write_city(folder)
    return main(["contributions", str(folder / "records.csv"), "--spec", str(spec), *arguments])


def test_the_file_holds_the_contributions_of_the_spec(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "not" / "there" / "table.parquet"
    assert _write(tmp_path, "--out", str(out)) == 0
    spec = load_spec(tmp_path / "spec.toml")
    loaded = load_records(spec.data.paths(), spec.data.rules)
    table = contributions_of(loaded.records, spec.resolution, spec.window)
    assert_same(read_contributions(out), table)
    shown = capsys.readouterr().out
    assert "CONFIDENTIAL" in shown
    assert f"{table.hat.size:,} rows of {table.hats:,} hexagon slots, {len(table.values):,} values." in shown


def test_a_table_of_derived_speeds_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_city(tmp_path, edit=(DERIVED,))
    out = tmp_path / "table.parquet"
    assert main(["contributions", str(tmp_path / "records.csv"), "--spec", str(spec), "--out", str(out)]) == 0
    assert "derived from positions" in capsys.readouterr().out
    assert read_contributions(out).derived


def test_release_of_the_table_and_its_repeat_from_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEXVEIL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", "10"]) == 0
    city = tmp_path / "city"
    assert _write(city, "--out", str(city / "table.parquet")) == 0
    spec = write_city(city, edit=(TABLE,))
    assert main(["release", str(spec), "--out", str(tmp_path / "out"), "--yes"]) == 0
    assert main(["verify", str(tmp_path / "out" / "test-speed-1.0.0")]) == 0
    capsys.readouterr()
    assert main(["release", str(write_city(city)), "--out", str(tmp_path / "again"), "--yes"]) == 0
    assert "nothing was spent" in capsys.readouterr().out


@pytest.mark.parametrize(("place", "reason"), [("records.csv/table.parquet", "created"), (".", "written")])
def test_a_place_that_cannot_be_written_is_exit_2(
    place: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _write(tmp_path, "--out", str(tmp_path / place)) == 2
    assert f"cannot be {reason}" in capsys.readouterr().err
    assert sorted(item.name for item in tmp_path.iterdir()) == [
        "records.csv",
        "spec.toml",
    ]


def test_a_table_that_is_none_is_exit_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXVEIL_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", "10"]) == 0
    (tmp_path / "table.parquet").write_bytes(b"PAR1")
    spec = write_city(tmp_path, edit=(TABLE,))
    assert main(["release", str(spec), "--out", str(tmp_path / "out"), "--yes"]) == 2


WORDS = "correct horse battery"
OLD = Path(__file__).resolve().parents[2] / "golden" / "tables" / "encrypted-unbound"


def test_a_folder_of_encrypted_parts_is_written_released_and_deleted(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    limit()
    assert home.is_dir()
    city, secret = tmp_path / "city", tmp_path / "secret"
    secret.write_text(WORDS + "\n", encoding="utf-8")
    asked = ["--table-passphrase-file", str(secret)]
    parts = ["--partition-by", "resolution,date", "--encrypt", "--out", str(city / "table")]
    assert _write(city, *parts, *asked) == 0
    assert "Encrypted" in capsys.readouterr().out
    assert len(list((city / "table").glob("resolution=7/date=2022-01-0?/part-0.parquet"))) == 2
    assert _write(city, *parts, *asked) == 2
    assert "already" in capsys.readouterr().err
    spec = write_city(city, edit=((TABLE[0], 'contributions = "table"'),))
    release = ["release", str(spec), "--out", str(tmp_path / "out"), "--yes"]
    assert main(release) == 2
    assert "HEXVEIL_TABLE_PASSPHRASE" in capsys.readouterr().err
    monkeypatch.setenv("HEXVEIL_TABLE_PASSPHRASE", "another horse battery")
    assert main(release) == 2
    assert "does not open" in capsys.readouterr().err
    assert main([*release, *asked]) == 0
    assert "earlier version" not in capsys.readouterr().err
    next((city / "table").rglob("*.parquet")).unlink()
    release[3] = str(tmp_path / "elsewhere")
    assert main([*release, *asked]) == 2
    assert "not whole" in capsys.readouterr().err
    write_city(city, edit=((TABLE[0], f'contributions = "{OLD.as_posix()}"'),))
    assert main([*release, *asked]) == 2
    assert "earlier version" in capsys.readouterr().err
    assert main(["contributions", "--delete", str(city / "table")]) == 2
    assert "consent" in capsys.readouterr().err
    assert main(["contributions", "--delete", str(city / "table"), "--yes"]) == 0
    assert "solid-state" in capsys.readouterr().out
    assert not (city / "table").exists()


def test_what_was_in_the_clear_is_deleted_with_a_word_on_what_remains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.parquet"
    assert _write(tmp_path, "--out", str(table)) == 0
    monkeypatch.setattr("sys.stdin", Keyboard("no\n"))
    assert main(["contributions", "--delete", str(table)]) == 0
    assert "Nothing was deleted." in capsys.readouterr().out
    assert table.exists()
    monkeypatch.setattr("sys.stdin", Keyboard("yes\n"))
    assert main(["contributions", "--delete", str(table)]) == 0
    assert "It was not encrypted." in capsys.readouterr().out
    assert not table.exists()


class Keyboard(io.StringIO):
    """Standard input with a person before it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["records.csv"], "--spec is missing"),
        (["--spec", "spec.toml"], "DATA is missing"),
        (["records.csv", "--spec", "spec.toml"], "--out is missing"),
        (["records.csv", "--delete", "table.parquet"], "either written or deleted"),
    ],
)
def test_half_a_command_is_exit_2(
    arguments: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["contributions", *arguments]) == 2
    assert what in capsys.readouterr().err


def test_partitions_that_are_none_are_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _write(tmp_path, "--partition-by", "vehicle", "--out", str(tmp_path / "table")) == 2
    assert "by resolution and date" in capsys.readouterr().err
    assert not (tmp_path / "table").exists()


def test_another_engine_encrypts_too_and_refuses_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb", reason="the program for Windows ships without it")
    secret, out = tmp_path / "secret", tmp_path / "city" / "table.parquet"
    secret.write_text(WORDS + "\n", encoding="utf-8")
    asked = ["--engine", "duckdb", "--out", str(out)]
    assert _write(tmp_path / "city", *asked, "--partition-by", "date") == 2
    assert "one file" in capsys.readouterr().err
    assert not out.exists()
    assert _write(tmp_path / "city", *asked, "--encrypt", "--table-passphrase-file", str(secret)) == 0
    spec = load_spec(tmp_path / "city" / "spec.toml")
    loaded = load_records(spec.data.paths(), spec.data.rules)
    table = contributions_of(loaded.records, spec.resolution, spec.window)
    assert_same(read_contributions(out, passphrase=lambda _: WORDS), table)
