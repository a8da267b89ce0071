from __future__ import annotations

import datetime as dt
from pathlib import Path

from core.hats.record_dates import clip_ranges, date_ranges_of
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import write_city

FIRST, LAST = dt.date(2022, 1, 3), dt.date(2022, 1, 4)


def test_the_dates_of_a_data_set_are_runs(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    with (tmp_path / "records.csv").open("a") as file:
        file.write("bus-01,2022-01-09T00:00:01+05:30,21.17,72.83,20\n")
    records = load_records(spec.data.paths(), spec.data.rules).records
    late = dt.date(2022, 1, 9)
    assert date_ranges_of(records) == ((FIRST, LAST), (late, late))


def test_clipping_keeps_what_lies_inside() -> None:
    ranges = ((FIRST, LAST), (dt.date(2022, 1, 9), dt.date(2022, 1, 12)))
    assert clip_ranges(ranges, LAST, dt.date(2022, 1, 10)) == (
        (LAST, LAST),
        (dt.date(2022, 1, 9), dt.date(2022, 1, 10)),
    )
    assert clip_ranges(ranges, dt.date(2023, 1, 1), dt.date(2023, 1, 2)) == ()
