"""ui.parameters.grid_row: a recommended grid in words."""

from __future__ import annotations

import dataclasses
import datetime as dt

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication, QListWidget, QListWidgetItem
from pytestqt.qtbot import QtBot

from core.advice.city_advice import GridOption, GridRole
from core.advice.usefulness import Usefulness
from core.city.noise_kind import NoiseKind
from core.hats.slots import ALL
from core.hats.window import build_window
from core.quantity import SPEED
from core.statistics.registry import require_statistic
from tests.ui.user_actions import show
from ui.parameters.grid_row import RIGHTS, ROW, GridRow, GridRowDelegate, grid_row

DAY = dt.date(2022, 1, 3)


def row(
    raw: float, smoothed: float | None, *, roles: tuple[GridRole, ...] = (), own: bool = False
) -> GridRow:
    option = GridOption(
        resolution=6,
        window=build_window(((DAY, DAY),), ("09:00", "21:00"), ALL),
        noise=NoiseKind.GAUSS,
        hats=1204,
        empty=0.0,
        records=0.976,
        raw_error=raw,
        smoothed_error=smoothed,
        constant=7.0,
        good=2.0,
    )
    return grid_row(option, require_statistic("mean").of(SPEED).measures[0], roles, "32.5 km²", own=own)


def test_the_recommended_row_shows_its_figures_and_says_all_of_it() -> None:
    shown = row(2.0, 1.4, roles=(GridRole.FINEST, GridRole.BALANCED))
    assert (shown.title, shown.detail) == ("Balanced", "recommended")
    assert shown.cells == ("32.5 km²", "all hours", "98\u00a0%", "1.4")
    assert shown.usefulness is Usefulness.GOOD
    assert shown.spoken.startswith("Finest, Balanced. Resolution 6")
    assert "Estimate: a typical number is off by 2.00 km/h raw, 1.40 km/h smoothed" in shown.spoken


def test_without_smoothing_there_is_the_raw_error_alone() -> None:
    shown = row(3.5, None, roles=(GridRole.MOST_EXACT,))
    assert (shown.title, shown.detail, shown.cells[3]) == ("Most exact", "1,204 slots", "3.5")
    assert shown.usefulness is Usefulness.ROUGH
    assert "smoothed" not in shown.spoken


def test_what_a_constant_beats_is_no_use() -> None:
    shown = row(9.0, 7.0)
    assert shown.usefulness is Usefulness.NO_USE
    assert "No use: one number for the whole city is typically off by 7.00 km/h." in shown.spoken


def test_the_draft_s_own_says_so() -> None:
    assert row(2.0, 1.4, own=True).spoken.startswith("Chosen now.")


def test_beside_the_verdict_s_word_stands_its_sign(qtbot: QtBot) -> None:
    """Signs differ in shape and colour, words alone would be read."""
    shown = row(2.0, 1.4)
    useless = dataclasses.replace(shown, usefulness=Usefulness.NO_USE)

    def seen(of: GridRow, left: float) -> QImage:
        rows = QListWidget()
        rows.setItemDelegate(GridRowDelegate(rows))
        QListWidgetItem(rows).setData(ROW, of)
        show(qtbot, rows, width=500, height=60)
        place = rows.visualItemRect(rows.item(0))
        at = round(place.left() + left * place.width())
        return rows.viewport().grab(QRect(at, place.top(), 24, place.height())).toImage()

    def sign(of: GridRow) -> QImage:
        return seen(of, RIGHTS[-1])

    signs = sign(shown), sign(useless), sign(dataclasses.replace(shown, usefulness=Usefulness.ROUGH))
    assert len({bytes(one.constBits()) for one in signs}) == 3
    ground = signs[0].pixelColor(0, 0).lightness()
    forms = {
        tuple(abs(one.pixelColor(x, 19).lightness() - ground) < 50 for x in range(8, 20)) for one in signs
    }
    assert len(forms) == 3, "without their colours too"
    accent = QApplication.palette().color(QPalette.ColorRole.Accent).name()
    filled = [
        sum(ring.pixelColor(x, 19).name() == accent for x in range(24))
        for ring in (seen(shown, 0), seen(dataclasses.replace(shown, own=True), 0))
    ]
    assert filled[0] == 0
    assert filled[1] >= 6, "the ring of the chosen one is thick"


def test_a_long_name_is_cut_before_the_next_column(qtbot: QtBot) -> None:
    """In another language it would be written over the slots."""
    shown = row(2.0, 1.4)
    rows = QListWidget()
    rows.setItemDelegate(GridRowDelegate(rows))
    item = QListWidgetItem(rows)
    item.setData(ROW, shown)
    show(qtbot, rows, width=500, height=60)
    place = rows.visualItemRect(item)
    beside = place.adjusted(round(RIGHTS[0] * place.width()) + 1, 0, 0, 0)
    before = rows.viewport().grab(beside).toImage()
    item.setData(ROW, dataclasses.replace(shown, title=90 * "W", detail=90 * "w"))
    assert rows.viewport().grab(beside).toImage() == before


def test_every_figure_of_a_row_is_written_in_its_column(qtbot: QtBot) -> None:
    rows = QListWidget()
    rows.setItemDelegate(GridRowDelegate(rows))
    QListWidgetItem(rows).setData(ROW, row(2.0, 1.4, roles=(GridRole.BALANCED,)))
    show(qtbot, rows, width=500, height=60)
    place = rows.visualItemRect(rows.item(0))
    picture, middle = rows.viewport().grab(place).toImage(), place.height() // 2

    def shades(left: float, right: float, above: int, below: int) -> int:
        columns = range(round(left), round(right))
        return len({picture.pixelColor(x, y).name() for x in columns for y in range(above, below)})

    ends = [right * place.width() for right in RIGHTS]
    assert shades(40, ends[0] - 60, 0, middle) > 9, "its name"
    assert shades(40, ends[0] - 60, middle, place.height()) > 9, "and what it is"
    for end in ends:
        assert shades(end - 18, end, 0, place.height()) > 9
    assert shades(ends[-1] + 34, place.width(), 0, place.height()) > 9, "the verdict in a word"
