"""ui.map.change_map and ui.map.change_layer: changes slot by slot, in classes and words."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from pytestqt.qtbot import QtBot

from core.published.bundle_frames import published_tables
from core.published.comparison import ChangeVerdict, Comparison, compare
from tests.published_pair import write_pair
from ui.kit.theme import Theme
from ui.map.change_layer import paint_changes
from ui.map.change_map import ChangeMap
from ui.web_map.painting import SUPPRESSED_FILL

RELEASES = Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases"


@cache
def found() -> Comparison:
    before, after = (published_tables(path)["mean"] for path in write_pair(Path(mkdtemp())))
    return compare(before, after)


@pytest.mark.parametrize("start", ["09:00", "10:00"])
def test_every_hexagon_has_the_class_of_its_verdict(start: str) -> None:
    end = f"{int(start[:2]) + 1}:00"
    painting = paint_changes(found(), start, end)
    assert (painting.unit, painting.confidential) == ("km/h", False)
    labels = [one.label for one in painting.classes]
    wanted = {
        ChangeVerdict.ONLY_BEFORE: {"in the earlier release only"},
        ChangeVerdict.ONLY_AFTER: {"in the later release only"},
        ChangeVerdict.SMALLER: {"fell by ≥ 5", "fell by < 5"},
        ChangeVerdict.LARGER: {"rose by ≥ 5", "rose by < 5"},
        ChangeVerdict.WITHIN_NOISE: {"within the noise"},
    }
    rows = found().rows[found().rows["slot_start"] == start]
    assert len(painting.fills) == len(rows)
    for row in rows.itertuples(index=False):
        fill = painting.fills[row.cells[0]]
        if row.verdict == ChangeVerdict.UNTOLD:
            assert fill == SUPPRESSED_FILL
            continue
        assert isinstance(fill, int)
        assert labels[fill] in wanted[row.verdict]
        if row.verdict in (ChangeVerdict.LARGER, ChangeVerdict.SMALLER):
            assert labels[fill].endswith("≥ 5") is (abs(row.change) >= 5.0)


def test_a_hexagon_tells_both_values_and_the_interval() -> None:
    painting = paint_changes(found(), "09:00", "10:00")
    row = found().rows[found().rows["verdict"] == ChangeVerdict.SMALLER].iloc[0]
    cell, told = painting.tooltips[row["cells"][0]]
    assert cell == row["cells"][0]
    assert told.splitlines() == [
        f"{row['before']:.3f} km/h → {row['after']:.3f} km/h",
        f"change {row['change']:.3f} km/h, 95 % interval {row['low']:.3f} km/h to {row['high']:.3f} km/h",
    ]
    alone = found().rows[found().rows["verdict"] == ChangeVerdict.ONLY_AFTER].iloc[0]
    assert painting.tooltips[alone["cells"][0]][1] == f"no number → {alone['after']:.3f} km/h"


def test_shares_have_no_large_changes_and_show_one_edge() -> None:
    table = published_tables(RELEASES / "every-statistic-1.0.0")["cdf_of_vehicles"]
    painting = paint_changes(compare(table, table), "09:00", "10:00", "20")
    assert [one.label for one in painting.classes][2:] == ["fell", "within the noise", "rose"]
    assert set(painting.fills.values()) == {3}


def test_the_map_shows_the_slot_that_is_chosen(qtbot: QtBot, theme: Theme) -> None:
    made = ChangeMap(theme)
    qtbot.addWidget(made)
    made.show()
    assert made.view is None  # no page before there is something to show
    made.show_changes(found(), None)
    view = made.view
    assert view is not None
    qtbot.waitUntil(lambda: view.is_ready, timeout=15_000)
    assert not view.framed
    assert made.slot_text.text() == "09:00 – 10:00"
    cell = found().rows["cells"].iloc[0][0]
    made.choose(cell, "10:00")
    assert made.slot_text.text() == "10:00 – 11:00"
    with qtbot.waitSignal(made.clicked) as clicked:
        view.clicked.emit(cell)
    assert clicked.args == [cell, "10:00"]
    made.show_changes(found(), None)
    assert made.slot_text.text() == "10:00 – 11:00"  # it stays
    made.dispose()
