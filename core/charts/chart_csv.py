"""The figures of a chart as CSV: a row for each point of the axis, or for each bar of a histogram."""

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
        columns = {chart.across.key: chart.x}
        for curve in chart.curves:
            columns[curve.key] = curve.y
            if curve.standard_error:
                columns[f"{curve.key}_standard_error"] = curve.standard_error
        writer.writerow(columns)
        writer.writerows(
            tuple(f"{value:.9g}" for value in row) for row in zip(*columns.values(), strict=True)
        )
    return buffer.getvalue().encode()
