"""Further rows are asked for where the first leave the order of day and month open, and only there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.assist.column_guesses import guess_mapping
from core.assist.spread_rows import spread_rows
from core.assist.suggested_choices import suggest_choices
from core.read.reader_registry import reader_for

HEADER = "Prefixo do veículo;Linha;Data e hora;Lat.;Long.;Vel. (km/h)"


def log_of(folder: Path, dates: Sequence[str]) -> Path:
    """A log as Brazilian fleets write it: 300 rows of each date."""
    rows = [
        f"ÔNIBUS 12-A;203;{date} 10:{row // 60:02}:{row % 60:02};-25,428401;-49,273302;31,5"
        for date in dates
        for row in range(300)
    ]
    path = folder / "gps.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_later_day_tells_the_order_that_the_first_rows_leave_open(tmp_path: Path) -> None:
    path = log_of(tmp_path, ("10/03/2025", "11/03/2025", "14/03/2025"))
    preview = reader_for(path).preview(path)
    assert suggest_choices(preview).choices.date_order is None
    spread = spread_rows(path, preview)
    found = suggest_choices(preview, spread)
    assert found.choices.date_order == "dmy"
    assert found.reasons["date_order"].endswith("can only be day first")
    assert found.choices.still_open == ("zone",)
    assert guess_mapping(preview, where="gps.csv", spread=spread).file_format.date_order == "dmy"


def test_the_file_of_a_later_day_tells_the_order(tmp_path: Path) -> None:
    """An export of one file a day: no row of the first file tells anything."""
    days = [tmp_path / day for day in ("10", "11", "14")]
    for day in days:
        day.mkdir()
    path, *others = (log_of(day, (f"{day.name}/03/2025",)) for day in days)
    preview = reader_for(path).preview(path)
    spread = spread_rows(path, preview, others=others)
    assert suggest_choices(preview, spread).choices.date_order == "dmy"
    others[1].write_text("", encoding="utf-8")
    spread = spread_rows(path, preview, others=others)
    assert suggest_choices(preview, spread).choices.date_order is None, "a load tells of the empty file"


def test_what_the_whole_file_leaves_open_stays_open(tmp_path: Path) -> None:
    path = log_of(tmp_path, ("10/03/2025", "11/03/2025"))
    preview = reader_for(path).preview(path)
    assert suggest_choices(preview, spread_rows(path, preview)).choices.date_order is None


@pytest.mark.parametrize("date", ["2025-03-10", "14/03/2025"])
def test_no_row_more_is_read_where_the_first_ones_tell(tmp_path: Path, date: str) -> None:
    path = log_of(tmp_path, (date, "10/03/2025"))
    assert spread_rows(path, reader_for(path).preview(path)) is None


def test_a_file_without_times_is_not_read_further(tmp_path: Path) -> None:
    path = tmp_path / "gps.csv"
    path.write_text("plate;lat;lon\nA;1,5;2,5\nB;1,5;2,5\n", encoding="utf-8")
    assert spread_rows(path, reader_for(path).preview(path)) is None


def test_a_date_in_a_column_of_its_own_is_looked_up_further_down_too(tmp_path: Path) -> None:
    path = tmp_path / "avl.csv"
    rows = [
        f"1201;{day};10:{row // 60:02}:{row % 60:02};48,85;2,35;31"
        for day in ("05/10/2026", "14/10/2026")
        for row in range(300)
    ]
    path.write_text("\n".join(["N° parc;Date;Heure;Lat;Lon;Vitesse", *rows]) + "\n", encoding="utf-8")
    preview = reader_for(path).preview(path)
    assert suggest_choices(preview).choices.date_order is None
    found = suggest_choices(preview, spread_rows(path, preview))
    assert (found.choices.date, found.choices.date_order) == ("Date", "dmy")
