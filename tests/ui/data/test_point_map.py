"""ui.data.point_map: points, box and scale bar are painted, inside and outside by shape."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from core.assist.coordinate_order import check_coordinates
from core.assist.mini_map import fit_map
from core.clean.mapping import Box
from tests.ui.user_actions import show
from ui.data.point_map import PointMap
from ui.kit.theme import Mode, Theme


@pytest.fixture
def point_map(qtbot):
    made = PointMap()
    show(qtbot, made, width=300, height=220)
    return made


def commonest(image):
    rgb = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    colours, counts = np.unique(rgb, return_counts=True)
    return int(colours[counts.argmax()])


def shape_at(image, x, y):
    """Which pixels around a place differ strongly from the background."""
    base = QColor(commonest(image)).lightness()
    return {
        (across, down)
        for across in range(-5, 6)
        for down in range(-5, 6)
        if abs(image.pixelColor(round(x) + across, round(y) + down).lightness() - base) > 40
    }


def checked(*places, box=None):
    latitude, longitude = (np.array(axis) for axis in zip(*places, strict=True))
    return check_coordinates(latitude, longitude, box)


def test_points_inside_are_dots_and_outside_are_crosses(qapp, point_map):
    Theme(qapp, Mode.LIGHT)
    check = checked((21.1, 72.8), (21.52, 73.23), box=Box(south=21.0, west=72.7, north=21.3, east=73.0))
    point_map.show_check(check)
    shown = fit_map(check.latitude, check.longitude, check.box, point_map.width(), point_map.height())
    (dot_x, cross_x), (dot_y, cross_y) = shown.place(check.latitude, check.longitude)
    image = point_map.grab().toImage()
    dot, cross = shape_at(image, dot_x, dot_y), shape_at(image, cross_x, cross_y)
    assert dot
    assert max(abs(across) for across, _ in dot) <= 3
    assert {(-3, -3), (3, 3), (-3, 3), (3, -3)} <= cross
    assert not {(0, -3), (0, 3), (3, 0), (-3, 0)} & cross


def test_degrees_are_read_where_points_lie_on_them(qapp, point_map):
    theme = Theme(qapp, Mode.LIGHT)
    muted = QColor(theme.colours.muted)
    corners = ((21.1, 72.75), (21.3, 73.1))

    def strokes(*places):
        """Pixels of the text left of the parallel 21.2, in its colour."""
        check = checked(*corners, *places)
        point_map.show_check(check)
        shown = fit_map(check.latitude, check.longitude, None, point_map.width(), point_map.height())
        line = round(float(shown.place(21.2, shown.west)[1]))
        image = point_map.grab().toImage()
        seen = [image.pixelColor(x, y) for x in range(3, 60) for y in range(line - 13, line - 2)]
        return (
            shown,
            line,
            sum(
                abs(one.red() - muted.red())
                + abs(one.green() - muted.green())
                + abs(one.blue() - muted.blue())
                < 60
                for one in seen
            ),
        )

    shown, line, alone = strokes()
    assert alone > 20
    step = (shown.east - shown.west) / shown.width
    down = (shown.north - shown.south) / shown.height
    covered = [
        (shown.north - (line - y) * down, shown.west + x * step)
        for x in range(22, 50, 2)
        for y in range(3, 13, 2)
    ]
    assert strokes(*covered)[2] >= 0.9 * alone


def test_every_meridian_is_named_at_the_right_edge_too(qapp, point_map):
    theme = Theme(qapp, Mode.LIGHT)
    muted = QColor(theme.colours.muted)
    check = checked((21.0, 72.6), (21.2, 72.98))
    point_map.show_check(check)
    shown = fit_map(check.latitude, check.longitude, None, point_map.width(), point_map.height())
    image = point_map.grab().toImage()
    xs = [round(float(shown.place(shown.south, one)[0])) for one in shown.meridians]
    assert point_map.width() - xs[-1] < 40, "its name has no room behind it"

    def is_named(x):
        """Strokes of a text close to the line, on either side of it."""
        beside = [*range(max(x - 30, 1), x - 2), *range(x + 3, min(x + 30, image.width() - 1))]
        near = [image.pixelColor(column, row) for column in beside for row in range(3, 12)]
        return sum(abs(one.lightness() - muted.lightness()) < 25 for one in near) > 10

    assert [x for x in xs if not is_named(x)] == []


def test_without_points_the_reason_is_written(qapp, point_map):
    Theme(qapp, Mode.LIGHT)
    empty = point_map.grab().toImage()
    point_map.show_check(None, "Nothing to see here.")
    assert point_map.grab().toImage() != empty


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_it_follows_the_theme(qapp, point_map, mode):
    theme = Theme(qapp, mode)
    point_map.show_check(checked((21.1, 72.8)))
    assert commonest(point_map.grab().toImage()) == QColor(theme.colours.surface).rgb()
