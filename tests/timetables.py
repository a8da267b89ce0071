"""A small GTFS timetable along the hexagons of the test city."""

from __future__ import annotations

import zipfile
from pathlib import Path

import h3

from tests.strategies import CELLS

_PLACES = [h3.cell_to_latlng(h3.int_to_str(cell)) for cell in CELLS]
TABLES = {
    "stops.txt": "stop_id,stop_lat,stop_lon\n"
    + "".join(f"s{number},{latitude},{longitude}\n" for number, (latitude, longitude) in enumerate(_PLACES))
    + "hall,,\n",
    "trips.txt": "route_id,service_id,trip_id,block_id\nr,week,a,one\nr,week,b,one\nr,week,c,\n",
    # a and b: ten minutes at one stop each; c: an hour at the last stop from half past nine on
    "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    "a,09:00:00,09:00:00,s0,1\na,09:10:00,09:10:00,s0,2\n"
    "b,10:00:00,10:00:00,s1,1\nb,10:10:00,10:10:00,s1,2\n"
    "c,10:30:00,10:30:00,s5,7\nc,09:30:00,09:30:00,s5,3\n",
}


def write_timetable(folder: Path, *, zipped: bool = False, **changes: str | None) -> Path:
    """changes: table without its ending -> its text, None: no such table."""
    tables = TABLES | {f"{name}.txt": text for name, text in changes.items()}
    retained = {name: text for name, text in tables.items() if text is not None}
    if zipped:
        archive = folder / "timetable.zip"
        with zipfile.ZipFile(archive, "w") as opened:
            for name, text in retained.items():
                opened.writestr(f"agency/{name}", text)
        return archive
    for name, text in retained.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
