"""`hats`: a person without a window finds a HAT to evaluate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from tests.city import write_city
from tests.records import SECRET


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return write_city(tmp_path)


@pytest.fixture
def data(spec: Path) -> str:
    return str(spec.parent / "records.csv")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["hats", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("by_spec", [False, True])
def test_each_name_is_one_that_evaluate_takes(
    spec: Path, data: str, home: Path, capsys: pytest.CaptureFixture[str], *, by_spec: bool
) -> None:
    assert home.is_dir()
    capsys.readouterr()
    named = ["--spec", str(spec)] if by_spec else []
    found = told(capsys, data, *named, "--top", "3")
    assert found["confidential"] is True
    assert found["hours"] == (["09:00", "12:00"] if by_spec else ["00:00", "24:00"])
    assert len(found["hats"]) == 3
    records = [hat["records"] for hat in found["hats"]]
    assert records == sorted(records, reverse=True)
    for hat in found["hats"]:
        line = ["evaluate", data, *named, "--hat", hat["hat"], "--population", "Buses", "--yes"]
        assert main([*line, "--eps", "1:1:1", "--trials", "10", "--mechanisms", "baseline", "--json"]) == 0
        capsys.readouterr()


def test_slots_counted_from_the_start_are_named_by_it_and_found(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert home.is_dir()
    edit = (("slot_minutes = 60", 'slot_minutes = "all"'), ('["09:00", "12:00"]', '["08:50", "12:10"]'))
    spec = write_city(tmp_path / "other", edit=edit)
    data = str(spec.parent / "records.csv")
    capsys.readouterr()
    (hat, *_) = told(capsys, data, "--spec", str(spec))["hats"]
    assert hat["hat"].startswith("08:50 87")
    line = ["evaluate", data, "--spec", str(spec), "--hat", hat["hat"], "--population", "Buses", "--yes"]
    assert main([*line, "--eps", "1:1:1", "--trials", "10", "--mechanisms", "baseline"]) == 0


def test_the_text_is_labelled_and_says_what_to_run(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    (first, second) = told(capsys, data, "--top", "2", "--resolution", "6")["hats"]
    assert main(["hats", data, "--top", "2", "--resolution", "6"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("CONFIDENTIAL")
    assert f'--hat "{first["hat"]}"' in text
    lines = [line.split() for line in text.splitlines()]
    for hat in (first, second):
        counts = [str(hat[name]) for name in ("records", "vehicles", "vehicle_days")]
        assert [*hat["hat"].split(), *counts] in lines


@pytest.mark.parametrize(
    ("arguments", "part"),
    [(["--top", "0"], "--top"), (["--top", "-1"], "--top"), (["--resolution", "4"], "--resolution")],
)
def test_what_is_not_offered_is_refused_before_data_are_read(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hats", "no-such-file.csv", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert part in shown.err
    assert "fix:   " in shown.err


def test_a_file_that_cannot_be_used_is_told_without_its_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"a,b\n{SECRET},1\n", "utf-8")
    assert main(["hats", str(path)]) == 2
    assert SECRET not in capsys.readouterr().err


def test_the_help_explains_every_key(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, data)
    with pytest.raises(SystemExit):
        main(["hats", "--help"])
    text = capsys.readouterr().out
    for key in (*found, *found["hats"][0]):
        assert key in text, key
