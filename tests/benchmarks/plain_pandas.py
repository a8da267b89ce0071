"""The straightforward program: pandas, a loop over h3 with text cells, groupby. One line of JSON a step.

    python -m tests.benchmarks.plain_pandas FILE [--knobs]

It cleans as method 2 says (the synthetic files need little of it) and is written as an experienced analyst
would at first: whole columns, no loop over rows but the one that h3 asks for.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import h3
import pandas as pd

from tests.benchmarks.steps import (
    DAYS,
    FIRST_DATE,
    HOURS,
    LIMIT_KMH,
    LOAD,
    LONG_HOURS,
    M_UB,
    OTHER_HOURS,
    OTHER_M_UB,
    OTHER_RESOLUTIONS,
    OTHER_SLOT,
    PHYSICAL_MAX_KMH,
    QUERIES,
    RESOLUTION,
    SHORT_SLOT,
    SLOT_MINUTES,
    UPPER_KMH,
    ZONE,
    BoundFigures,
    LoadFigures,
    QueryFigures,
    resolution_step,
    tell,
)

COLUMNS = ["license_plate", "observationDateTime", "speed", "location.coordinates"]
HAT = ["cell", "slot"]


def read(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet":
        return pd.read_parquet(path, columns=COLUMNS)
    if path.suffix == ".json":
        # pandas' own read_json takes twice as long
        frame = pd.DataFrame(json.loads(path.read_bytes()))
        return frame.assign(**{"location.coordinates": frame["location"].str["coordinates"]})[COLUMNS]
    return pd.read_csv(path, usecols=COLUMNS, dtype={"license_plate": "str"})


def parse(frame: pd.DataFrame) -> pd.DataFrame:
    time = pd.to_datetime(frame["observationDateTime"], format="ISO8601", utc=True, errors="coerce")
    position = frame["location.coordinates"]
    if isinstance(position.iloc[0], list):
        pair = pd.DataFrame(position.tolist())
    else:
        pair = position.str.strip("[]").str.split(",", expand=True)
    return pd.DataFrame(
        {
            "vehicle": frame["license_plate"].str.strip().str.casefold(),
            "time": time.dt.floor("ms"),
            "lat": pd.to_numeric(pair[1], errors="coerce"),
            "lon": pd.to_numeric(pair[0], errors="coerce"),
            "speed": pd.to_numeric(frame["speed"], errors="coerce"),
        }
    )


def clean(records: pd.DataFrame) -> pd.DataFrame:
    """Usable, possible, clamped; of several records of one vehicle and instant the smallest."""
    lat, lon = records["lat"], records["lon"]
    speed = records["speed"].round(3)
    keep = (
        records.notna().all(axis=1)
        & (records["vehicle"] != "")
        & speed.between(0, PHYSICAL_MAX_KMH)
        & lat.between(-90, 90)
        & lon.between(-180, 180)
        & ~((lat == 0) & (lon == 0))
        & records["time"].between(pd.Timestamp("2000-01-01", tz="UTC"), pd.Timestamp.now(tz="UTC"))
    )
    records = records.assign(speed=speed.clip(upper=UPPER_KMH))[keep]
    records = records.sort_values(["vehicle", "time", "lat", "lon", "speed"])
    return records.drop_duplicates(["vehicle", "time"])


def load(path: Path) -> pd.DataFrame:
    return clean(parse(read(path)))


def in_window(records: pd.DataFrame, hours: tuple[int, int]) -> pd.DataFrame:
    local = records["time"].dt.tz_convert(ZONE)
    date = local.dt.tz_localize(None).dt.normalize()
    minute = local.dt.hour * 60 + local.dt.minute
    first = pd.Timestamp(FIRST_DATE)
    inside = (
        date.between(first, first + pd.Timedelta(days=DAYS - 1))
        & (minute >= hours[0] * 60)
        & (minute < hours[1] * 60)
    )
    return records.assign(date=date, minute=minute)[inside]


def with_cells(window: pd.DataFrame, resolution: int) -> pd.DataFrame:
    places = zip(window["lat"], window["lon"], strict=True)
    return window.assign(cell=[h3.latlng_to_cell(lat, lon, resolution) for lat, lon in places])


def with_slots(window: pd.DataFrame, minutes: int) -> pd.DataFrame:
    return window.assign(slot=window["minute"] // minutes)


def pairs(window: pd.DataFrame) -> pd.DataFrame:
    """The contribution table: one row per (HAT, vehicle, day)."""
    return window.groupby([*HAT, "vehicle", "date"])["speed"].agg(["count", "sum", "mean", "max"])


def query_figures(table: pd.DataFrame) -> QueryFigures:
    per_hat = table.groupby(HAT)["mean"].mean()
    return QueryFigures(
        hats=len(per_hat),
        rows=len(table),
        records=int(table["count"].sum()),
        values=thousandths(table["sum"]),
        query1=round(float(per_hat.sum()), 6),
        query2=int((table["max"] > LIMIT_KMH).sum()),
    )


def bounded(window: pd.DataFrame) -> BoundFigures:
    """The first m_UB records of every vehicle in every HAT, in full arrays of so many (or of m* if fewer)."""
    users = [*HAT, "vehicle"]
    retained = window[window.groupby(users).cumcount() < M_UB]
    table = retained.groupby(users)["speed"].agg(["count", "sum"])
    hats = table.groupby(HAT)["count"].agg(["sum", "max"])
    return BoundFigures(
        retained=int(table["count"].sum()),
        values=thousandths(table["sum"]),
        arrays=int((hats["sum"] // hats["max"]).sum()),
    )


def thousandths(sums: pd.Series) -> int:
    """The sums of speeds are whole thousandths but for the rounding of floats."""
    return int((sums * 1000).round().astype("int64").sum())


class Program:
    """What the analyst keeps from step to step."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = self.window = pd.DataFrame()

    def load(self) -> LoadFigures:
        self.records = load(self.path)
        return LoadFigures(
            records=len(self.records),
            vehicles=self.records["vehicle"].nunique(),
            values=thousandths(self.records["speed"]),
        )

    def queries(self) -> QueryFigures:
        self.window = with_slots(with_cells(in_window(self.records, HOURS), RESOLUTION), SLOT_MINUTES)
        return query_figures(pairs(self.window))

    def resolution(self, resolution: int) -> QueryFigures:
        return query_figures(pairs(with_cells(self.window, resolution)))

    def slot(self) -> QueryFigures:
        return query_figures(pairs(with_slots(self.window, SHORT_SLOT)))

    def hours(self) -> QueryFigures:
        window = with_cells(in_window(self.records, LONG_HOURS), RESOLUTION)
        return query_figures(pairs(with_slots(window, SLOT_MINUTES)))

    def m_ub(self) -> BoundFigures:
        return bounded(self.window)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--knobs", action="store_true")
    parser.add_argument("--load-only", action="store_true")
    options = parser.parse_args()
    program = Program(options.file)
    tell(LOAD, program.load)
    if options.load_only:
        return
    tell(QUERIES, program.queries)
    if options.knobs:
        for resolution in OTHER_RESOLUTIONS:
            tell(resolution_step(resolution), lambda resolution=resolution: program.resolution(resolution))
        tell(OTHER_SLOT, program.slot)
        tell(OTHER_HOURS, program.hours)
        tell(OTHER_M_UB, program.m_ub)


if __name__ == "__main__":
    main()
