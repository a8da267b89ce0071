"""ui.map.small_maps: every hexagon in its place and colour, slot by slot on one scale."""

from __future__ import annotations

import h3
import numpy as np
import pytest
from PySide6.QtGui import QColor

from core.charts.map_projection import CityProjection
from core.progress import Cancelled
from tests.ui.contrasts import contrast
from ui.kit.theme import DARK, LIGHT, Colours
from ui.map.layer_values import SUPPRESSED_CODE, LayerValues
from ui.map.legend_classes import RELEASED_MEANS
from ui.map.small_maps import SmallMaps, small_maps, trace

CELLS = tuple(sorted(h3.grid_disk(h3.latlng_to_cell(21.17, 72.83, 7), 2)))
CLASSES = ("#102030", "#d0b040")
SIZE = (150, 120)


def values(*rows: tuple[str, int, int]) -> LayerValues:
    return LayerValues(
        cells=tuple(cell for cell, _, _ in rows),
        slots=np.array([slot for _, slot, _ in rows], np.int64),
        codes=np.array([code for _, _, code in rows], np.int8),
        numbers=np.full(len(rows), np.nan),
    )


def middle(cell: str, size: tuple[int, int] = SIZE) -> tuple[int, int]:
    """The pixel of a cell's middle."""
    rings = [h3.cell_to_boundary(one) for one in CELLS]
    place = CityProjection.of(rings, (0.0, 0.0, float(size[0]), float(size[1])))
    x, y = place.at(*h3.cell_to_latlng(cell))
    return int(x), int(y)


def colour_at(maps: SmallMaps, slot: int, cell: str) -> str:
    x, y = middle(cell)
    return maps.images[maps.slots.index(slot)].pixelColor(x, y).name()


def drawn(told: LayerValues, marked: dict[int, frozenset[str]] | None = None) -> SmallMaps:
    return small_maps(told, range(9, 11), CLASSES, CELLS, SIZE, LIGHT, marked or {})


def test_every_cell_is_traced_where_it_lies() -> None:
    traced = trace(CELLS, 300, 240)
    assert set(np.unique(traced).tolist()) == {-1, *range(len(CELLS))}
    for number, cell in enumerate(CELLS):
        x, y = middle(cell, (300, 240))
        assert traced[y, x] == number


def test_each_slot_has_its_own_colours() -> None:
    maps = drawn(values((CELLS[0], 9, 0), (CELLS[0], 10, 1), (CELLS[1], 9, 1)))
    assert maps.slots == (9, 10)
    assert [(image.width(), image.height()) for image in maps.images] == [SIZE] * 2
    assert colour_at(maps, 9, CELLS[0]) == CLASSES[0]
    assert colour_at(maps, 10, CELLS[0]) == CLASSES[1]
    assert colour_at(maps, 9, CELLS[1]) == CLASSES[1]
    assert colour_at(maps, 10, CELLS[1]) == LIGHT.line
    assert maps.images[0].pixelColor(0, 0).name() == LIGHT.window


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_shape_of_the_city_stands_off_its_ground(colours: Colours) -> None:
    maps = small_maps(values(), range(9, 10), CLASSES, CELLS, SIZE, colours, {})
    ground, outside = QColor(colours.window).lightness(), QColor(colour_at(maps, 9, CELLS[1])).lightness()
    assert abs(ground - outside) > 20


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_the_slowest_hexagons_do_not_look_like_those_without_a_number(colours: Colours) -> None:
    """No line around the hexagons of a small map tells of their class: their colours alone do."""
    classes = tuple(one.colour for one in RELEASED_MEANS.legend())
    rows = [(cell, 9, code) for code, cell in enumerate(CELLS[: len(classes)])]
    maps = small_maps(values(*rows), range(9, 10), classes, CELLS, SIZE, colours, {})
    outside = QColor(colour_at(maps, 9, CELLS[-1]))
    for cell, _, code in rows[:3]:
        assert contrast(QColor(colour_at(maps, 9, cell)), outside) > (1.2, 1.9, 3)[code]


def test_suppressed_is_hatched() -> None:
    maps = drawn(values((CELLS[9], 9, SUPPRESSED_CODE)))
    x, y = middle(CELLS[9])
    around = {maps.images[0].pixelColor(x + step, y).lightness() for step in range(-4, 5)}
    assert max(around) - min(around) > 40


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("size", "lined"), [(SIZE, True), ((40, 32), False)])
def test_hexagons_of_one_class_are_told_apart_where_there_is_room(
    colours: Colours, size: tuple[int, int], lined: bool
) -> None:
    """A city of one class was a blot; lines between hexagons of few pixels would take their colour."""
    told = values(*((cell, 9, 1) for cell in CELLS))
    picture = small_maps(told, range(9, 10), CLASSES, CELLS, size, colours, {}).images[0]
    centre = h3.latlng_to_cell(21.17, 72.83, 7)
    beside = next(cell for cell in h3.grid_disk(centre, 1) if cell != centre)
    (left, top), (right, bottom) = middle(centre, size), middle(beside, size)
    between = {
        picture.pixelColor(left + (right - left) * step // 40, top + (bottom - top) * step // 40).name()
        for step in range(41)
    }
    assert CLASSES[1] in between
    assert any(contrast(QColor(one), QColor(CLASSES[1])) > 1.25 for one in between) is lined


def test_what_is_not_marked_steps_back() -> None:
    told = values((CELLS[0], 9, 0), (CELLS[1], 9, 0), (CELLS[1], 10, 0))
    maps = drawn(told, {9: frozenset({CELLS[0]})})
    assert colour_at(maps, 9, CELLS[0]) == CLASSES[0]
    assert QColor(colour_at(maps, 9, CELLS[1])).lightness() > QColor(CLASSES[0]).lightness() + 60
    assert colour_at(maps, 10, CELLS[1]) == CLASSES[0], "nothing of that slot is marked"


def test_numbers_of_cells_beside_the_map_are_left_out_and_none_is_no_crash() -> None:
    maps = drawn(values(("8742d9d69ffffff", 9, 0)))
    assert colour_at(maps, 9, CELLS[0]) == LIGHT.line
    assert small_maps(values(), range(9, 10), (), (), SIZE, LIGHT, {}).images[0].width() == SIZE[0]


def test_it_can_be_stopped_again_and_again() -> None:
    """A picture that went while it was painted on ended the process, not each time."""

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    for _ in range(50):
        with pytest.raises(Cancelled):
            trace(CELLS, 30, 30, stop)


def test_a_route_is_traced_along_its_line() -> None:
    line = {"type": "LineString", "coordinates": ((72.8, 21.1), (72.9, 21.1), (72.9, 21.2))}
    traced = trace(("7",), 100, 100, outlines={"7": line})
    assert set(np.unique(traced)) == {-1, 0}
    assert 0 < (traced == 0).mean() < 0.3
