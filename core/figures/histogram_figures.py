"""The report's histograms (TR III.A, III.E): vehicles of each HAT and day, HATs of each vehicle and day."""

from __future__ import annotations

from core.charts.chart import Axis, Bar, Chart
from core.planning.resolution_table import Histogram, ResolutionRow

_MOST_BARS = 60


def histogram_charts(row: ResolutionRow, over: str) -> tuple[Chart, Chart]:
    """Both of one resolution; over: which dates, hours and slots. Confidential: true counts."""
    vehicles, hats = row.vehicles_per_hat_day, row.hats_per_vehicle_day
    return (
        _chart(
            vehicles,
            name=f"vehicles-per-hat-day-r{row.resolution}",
            title=f"Distinct vehicles per hexagon slot and day, H3 resolution {row.resolution}",
            note=f"As TR III.A, over {vehicles.total:,} hexagon slots and days with records. "
            f"{_figures(vehicles)} {over}",
            across=Axis(label="distinct vehicles", key="vehicles"),
            up=Axis(label="hexagon slots and days", key="hats_and_days"),
        ),
        _chart(
            hats,
            name=f"hats-per-vehicle-day-r{row.resolution}",
            title=f"Hexagon slots per vehicle and day, H3 resolution {row.resolution}",
            note=f"As TR III.E, over {hats.total:,} vehicles and days with records; the most is K_day. "
            f"{_figures(hats)} {over}",
            across=Axis(label="hexagon slots", key="hats"),
            up=Axis(label="vehicles and days", key="vehicles_and_days"),
        ),
    )


def _figures(histogram: Histogram) -> str:
    width = histogram.bins(_MOST_BARS).width
    bars = f" Each bar holds {width} values." if width > 1 else ""
    return f"Mean {histogram.mean:.2f}, median {histogram.median}, most {histogram.maximum}.{bars}"


def _chart(histogram: Histogram, *, name: str, title: str, note: str, across: Axis, up: Axis) -> Chart:
    bins = histogram.bins(_MOST_BARS)
    return Chart(
        name=name,
        title=title,
        note=note,
        across=across,
        up=up,
        bars=tuple(
            Bar(first=first, last=last, items=int(items))
            for (first, last), items in zip(
                map(bins.range_of, range(bins.counts.size)), bins.counts.tolist(), strict=True
            )
        ),
    )
