"""`table`: what is printed, the JSON that its help explains, and what is refused."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.hats.slots import SLOT_LENGTHS
from core.planning.resolution_table import resolution_table
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import TOKENS, write_city
from tests.records import SECRET
from tests.taxis import write_taxis

_TOTAL = 'total = "6"\n'


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """What a command prints of the same city and spec; each once."""
    spec = write_city(tmp_path_factory.mktemp("city"))

    @cache
    def run(command: str, *more: str) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            assert main([command, str(spec.parent / "records.csv"), "--spec", str(spec), *more]) == 0
        return out.getvalue()

    return run


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return write_city(tmp_path)


@pytest.fixture
def data(spec: Path) -> str:
    return str(spec.parent / "records.csv")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["table", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["table", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "where: " in shown.err
    assert "fix:   " in shown.err
    return shown.err


def test_a_spec_gives_window_and_threshold(spec: Path, data: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, data, "--spec", str(spec), "--resolutions", "8,6")
    read = load_spec(spec)
    records = load_records(read.data.paths(), read.data.rules).records
    expected = resolution_table(records, [8, 6], read.window, 2, lengths=SLOT_LENGTHS)
    report = {"resolution": expected.reports_choice.resolution, "reason": expected.reports_reason}
    besides = {"widened": None, "report": report, "advice": None}
    assert found == json.loads(json.dumps(expected.to_json())) | besides
    assert main(["table", data, "--spec", str(spec), "--resolutions", "8,6"]) == 0
    assert expected.reports_reason in capsys.readouterr().out
    assert [row["resolution"] for row in found["resolutions"]] == [8, 6]
    assert found["threshold"] == 2


def test_without_a_spec_all_dates_from_nine_to_nine(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, data)
    assert found["dates"] == [["2022-01-03", "2022-01-04"]]
    assert (found["hours"], found["slot_minutes"], found["threshold"]) == (["09:00", "21:00"], 60, 10)
    assert [row["resolution"] for row in found["resolutions"]] == [6, 7, 8]
    assert all(row["busy_cells"] == 0 for row in found["resolutions"])


def test_options_change_what_the_spec_says(spec: Path, data: str, capsys: pytest.CaptureFixture[str]) -> None:
    changed = ["--hours", "10:00-12:00", "--slot-minutes", "30", "--threshold", "1", "--resolutions", "5"]
    for arguments in ([data, *changed], [data, "--spec", str(spec), *changed]):
        found = told(capsys, *arguments)
        assert (found["hours"], found["slot_minutes"]) == (["10:00", "12:00"], 30)
        assert found["threshold"] == 1
        (row,) = found["resolutions"]
        assert row["busy_cells"] > 0
        assert row["busy_share"] == row["busy_cells"] / row["cells"]


SHORTER = ("--hours", "09:00-11:00")


def test_the_text_is_aligned_and_says_that_it_is_confidential(printed: Callable[..., str]) -> None:
    found, text = json.loads(printed("table", *SHORTER, "--json")), printed("table", *SHORTER)
    assert text.startswith("CONFIDENTIAL")
    assert "2022-01-03 to 2022-01-04 (2 dates), 09:00 to 11:00, slots of 1 hour" in text
    start = text.splitlines().index("") + 1
    lines = text.splitlines()[start : text.splitlines().index("", start)]
    assert len({len(line) for line in lines}) == 1
    rows = (re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines)
    by_name = {name: values.split() for name, values in rows}
    assert by_name["resolution"] == ["6", "7", "8"]
    assert by_name["hexagon slots"] == [str(row["hats"]) for row in found["resolutions"]]
    assert by_name["most (K_day)"] == [str(row["k_day"]) for row in found["resolutions"]]
    means = [f"{row['mean_vehicles']:.2f}" for row in found["resolutions"]]
    assert by_name["vehicles per hexagon slot and day, mean"] == means


def test_other_lengths_stand_beside_the_first_and_fit_their_own_hours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_city(tmp_path / "odd", edit=(('["09:00", "12:00"]', '["09:00", "11:00"]'),))
    line = [str(spec.parent / "records.csv"), "--spec", str(spec), "--resolutions", "7,8"]
    found = told(capsys, *line)
    assert found["slot_minutes"] == 60
    pairs = [(row["slot_minutes"], row["hours"][1]) for row in found["slots"] if row["resolution"] == 7]
    assert pairs == [(15, "11:00"), (30, "11:00"), (120, "11:00"), (240, "13:00")]
    long = told(capsys, *line, "--slot-minutes", "240")
    assert (long["slot_minutes"], long["hours"], long["widened"]) == (
        240,
        ["09:00", "13:00"],
        ["09:00", "11:00"],
    )
    assert long["slots"] == []
    assert main(["table", *line, "--slot-minutes", "240"]) == 0
    assert "from 09:00 to 11:00 are not whole slots of 4 hours" in capsys.readouterr().out
    two = told(capsys, *line, "--slot-minutes", "all,15")
    assert (two["slot_minutes"], {row["slot_minutes"] for row in two["slots"]}) == (120, {15})


def test_slots_of_two_hours_need_no_other_hours(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, data, "--slot-minutes", "120")
    assert (found["hours"], found["slot_minutes"], found["widened"]) == (["09:00", "21:00"], 120, None)


def test_records_hours_and_advice_are_told(printed: Callable[..., str]) -> None:
    found, text = json.loads(printed("table", *SHORTER, "--json")), printed("table", *SHORTER)
    retained = found["records"]
    assert 0 < retained["kept"] < retained["on_dates"] <= retained["loaded"]
    hours = found["hours_of_day"]["hours"]
    assert [hour["hour"] for hour in hours] == list(range(24))
    assert sum(hour["records"] for hour in hours) == retained["on_dates"]
    assert sum(hour["records"] for hour in hours[9:11]) == retained["kept"]
    assert f"{retained['kept']} records of {retained['on_dates']}" in text
    assert found["advice"]["reason"] in text
    for hour in hours:
        words = [f"{hour['hour']:02d}", str(hour["records"]), f"{hour['vehicles']:.1f}", str(hour["hats"])]
        assert any(line.split()[:4] == words for line in text.splitlines())


def test_the_advice_is_that_of_plan(printed: Callable[..., str]) -> None:
    by_table = json.loads(printed("table", "--json"))["advice"]
    assert by_table == json.loads(printed("plan", "--json"))
    assert by_table["own"] is not None


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        ((('unit = "vehicle"', 'unit = "vehicle-hat-day"'),), "no total to divide"),
        ((*TOKENS, (_TOTAL, _TOTAL + "[query.parameters]\nregions = true\n")), "by hexagon slot"),
        ((*TOKENS, (_TOTAL, _TOTAL + '[query.parameters]\nnoise = "gauss"\n')), "needs a delta"),
    ],
)
def test_where_no_grid_can_be_recommended_the_table_is_printed_all_the_same(
    edits: tuple[tuple[str, str], ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, data = write_city(tmp_path, edit=edits), str(tmp_path / "records.csv")
    assert told(capsys, data, "--spec", str(spec))["advice"] is None
    assert main(["table", data, "--spec", str(spec)]) == 0
    text = capsys.readouterr().out
    assert "distinct hexagons" in text
    assert "No grid is recommended. " in text
    assert why in text


def test_a_spec_of_relation_user_gives_no_advice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exact counts may choose no grid there."""
    spec = write_taxis(tmp_path)
    data = str(tmp_path / "records.csv")
    assert told(capsys, data, "--spec", str(spec))["advice"] is None
    assert main(["table", data, "--spec", str(spec)]) == 0
    text = capsys.readouterr().out
    assert "no grid is recommended" in text
    assert told(capsys, data)["advice"]["reason"] not in text


@pytest.mark.parametrize("resolutions", ["4", "11", "x", "", "7,7", "6,,7", "7.5", "-7"])
def test_other_resolutions_are_refused_before_data_are_read(
    resolutions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = refused(capsys, "no-such-file.csv", f"--resolutions={resolutions}")
    assert "--resolutions" in shown
    assert "from 5 to 10" in shown


def test_a_window_without_records_is_refused(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = refused(capsys, data, "--hours", "20:00-21:00")
    assert "The window contains no record." in shown
    assert "20:00 to 21:00" in shown


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--threshold", "0"], "--threshold"),
        (["--hours", "nine"], "not a time of day"),
        (["--hours", "12:00-09:00"], "end before they start"),
        (["--slot-minutes", "7"], "7 minutes is not offered"),
        (["--slot-minutes", "60,7"], "7 minutes is not offered"),
        (["--slot-minutes", "whole"], "Lengths of slots are minutes"),
        (["--slot-minutes", ""], "Lengths of slots are minutes"),
        (["--hours", "09:00-12:00", "--slot-minutes", "120"], "whole slots of 2 hours"),
    ],
)
def test_other_windows_are_refused(
    data: str, arguments: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert part in refused(capsys, data, *arguments)


def test_a_file_that_cannot_be_used_is_told_without_its_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"a,b\n{SECRET},1\n", "utf-8")
    assert SECRET not in refused(capsys, str(path))


def test_the_help_explains_every_key(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, data)
    with pytest.raises(SystemExit):
        main(["table", "--help"])
    text = capsys.readouterr().out
    (row, *_) = found["resolutions"]
    (hour, *_) = found["hours_of_day"]["hours"]
    inner = (*found["records"], *found["hours_of_day"], *hour)
    for key in (*found, *row, *row["hats_per_vehicle_day"], *inner):
        assert key in text, key
