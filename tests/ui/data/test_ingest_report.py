"""ui.data.ingest_report: what was read, in words of the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.clean.mapping import ColumnMapping, ReadingRules, UnitRange
from core.draft.draft import DataSource
from core.read.file_format import FileFormat
from core.store.load_records import load_records
from tests.records import rules, sample_pings, write_csv
from tests.ui.user_actions import texts
from ui.data.ingest_report import ReportCard


@pytest.mark.parametrize(
    ("order", "told"), [("lon,lat", "longitude, latitude"), ("lat,lon", "latitude, longitude")]
)
def test_the_order_of_coordinates_is_told_in_words(
    qtbot: QtBot, tmp_path: Path, order: str, told: str
) -> None:
    path = tmp_path / "a.csv"
    rows = [f'A,2022-01-03T10:00:0{n}+05:30,"[21.1, 21.2]",{n}' for n in range(3)]
    path.write_text("\n".join(["bus,time,place,speed", *rows]), encoding="utf-8")
    mapping = ColumnMapping(
        vehicle="bus",
        time="time",
        position="place",
        position_order=order,
        value="speed",
        units=(UnitRange(unit="km/h"),),
    )
    rules = ReadingRules(mapping=mapping, zone="Asia/Kolkata", upper_bound=65_000)
    card = ReportCard(load_records((path,), rules).report, DataSource(files=(path,), rules=rules))
    qtbot.addWidget(card)
    shown = texts(card).replace("\u200b", "")
    assert told in shown
    assert order not in shown
    assert "0 lowered to it\nAbove 65 km/h" in shown


def test_a_date_in_a_column_of_its_own_is_told_below_the_time(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [f"A,03.01.2022,10:00:0{n},21.1,21.2,{n}" for n in range(3)]
    path.write_text("\n".join(["bus,Datum,Uhrzeit,lat,lon,speed", *rows]), encoding="utf-8")
    mapping = ColumnMapping(
        vehicle="bus", date="Datum", time="Uhrzeit", latitude="lat", longitude="lon", value="speed"
    )
    rules = ReadingRules(
        mapping=mapping, zone="Europe/Berlin", upper_bound=65_000, format=FileFormat(date_order="dmy")
    )
    card = ReportCard(load_records((path,), rules).report, DataSource(files=(path,), rules=rules))
    qtbot.addWidget(card)
    shown = texts(card).replace("\u200b", "")
    assert shown.index("Uhrzeit\nTime") < shown.index("Datum\nDate") < shown.index("lat\nLatitude")


def test_what_is_doubted_is_shown_below(qtbot: QtBot, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", sample_pings())
    source = DataSource(files=(path,), rules=rules())
    card = ReportCard(load_records([path], rules()).report, source)
    qtbot.addWidget(card)
    card.show_doubts(())
    assert "Look at this" not in texts(card)
    card.show_doubts(["1 id holds what a program added"])
    assert "Look at this\n1 id holds what a program added." in texts(card)


@pytest.mark.parametrize(
    ("count", "told"),
    [(1, ("1 object of another kind", "1 cell\n")), (2, ("2 objects of other kinds", "2 cells\n"))],
)
def test_a_count_of_one_is_told_in_the_singular(
    qtbot: QtBot, count: int, told: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("bus,time,lat,lon,speed\nA,2022-01-03T10:00:00+05:30,21.1,21.2,3\n", encoding="utf-8")
    mapping = ColumnMapping(vehicle="bus", time="time", latitude="lat", longitude="lon", value="speed")
    rules = ReadingRules(mapping=mapping, zone="Asia/Kolkata", upper_bound=65_000)
    report = replace(load_records((path,), rules).report, arrays_unread=count, missing_words=count)
    card = ReportCard(report, DataSource(files=(path,), rules=rules))
    qtbot.addWidget(card)
    shown = texts(card).replace("\u200b", "")
    assert all(text in shown for text in told)
