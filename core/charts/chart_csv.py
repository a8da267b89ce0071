"""The figures of a chart as CSV: a row for each point of the axis, or for each bar."""

from __future__ import annotations

import csv
import io

from core.charts.chart import Chart


def chart_csv(chart: Chart) -> bytes:
    """UTF-8, comma, LF; the first line names the columns."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    if chart.bars:
        writer.writerow((f"{chart.across.key}_from", f"{chart.across.key}_to", chart.up.key))
        writer.writerows((bar.first, bar.last, bar.items) for bar in chart.bars)
    else:
        writer.writerow((chart.across.key, *(curve.key for curve in chart.curves)))
        writer.writerows(
            tuple(f"{value:.9g}" for value in row)
            for row in zip(chart.x, *(curve.y for curve in chart.curves), strict=True)
        )
    return buffer.getvalue().encode()
