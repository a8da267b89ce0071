"""Charts for tests."""

from __future__ import annotations

from core.charts.chart import Axis, Bar, Chart, Curve, Stroke

LINES = Chart(
    name="lines",
    title="Lines & <marks>",
    note="Made up.",
    across=Axis(label="epsilon", key="epsilon"),
    up=Axis(label="error (km/h)", key="error_kmh", log=True),
    x=(0.5, 1.0, 2.0),
    curves=(
        Curve(key="one", title="One", y=(4.0, 2.0, 1.0), stroke=Stroke(colour="#d55e00", marker="square")),
        Curve(
            key="two",
            title="Two, with a title that is too long for one line of the legend",
            y=(0.4, 0.2, 0.1),
            stroke=Stroke(colour="#0072b2", marker="disc", dashed=True, hollow=True),
            standard_error=(0.1, 0.1, 0.2),
        ),
    ),
)
BARS = Chart(
    name="bars",
    title="Bars",
    note="Made up.",
    across=Axis(label="vehicles", key="vehicles"),
    up=Axis(label="Hexagon slots and days", key="hats_and_days"),
    bars=(
        Bar(first=1, last=2, items=30),
        Bar(first=3, last=4, items=10),
        Bar(first=5, last=6, items=0),
        Bar(first=7, last=8, items=1),
    ),
)
