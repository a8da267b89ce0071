"""Reading the screen of the smoke run."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from resources.installer.screen import (
    HEIGHT,
    MAP_AREA,
    TAB_STRIP,
    WIDTH,
    read_xwd,
    shows_map,
    shows_table,
    tab_titles,
)


def dump(width: int, height: int, *, bits: int = 32, order: int = 0) -> bytes:
    """A made-up window dump: pixel (x, y) has blue x and green y; a line has four bytes more than needed."""
    line = 4 * width + 4
    header = [100, 7, 2, 24, width, height, 0, order, 32, 0, 32, bits, line, 4, 0, 0, 0, 8, 256, 2]
    header += [0] * (25 - len(header))
    rows = np.zeros((height, line), np.uint8)
    rows[:, 0 : 4 * width : 4] = np.arange(width)
    rows[:, 1 : 4 * width : 4] = np.arange(height)[:, None]
    return struct.pack(">25I", *header) + bytes(2 * 12) + rows.tobytes()


def test_a_dump_is_read() -> None:
    pixels = read_xwd(dump(5, 3))
    assert pixels.shape == (3, 5, 4)
    assert pixels[2, 4].tolist() == [4, 2, 0, 0]


@pytest.mark.parametrize("wrong", [{"bits": 16}, {"order": 1}])
def test_another_format_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="32 bits"):
        read_xwd(dump(5, 3, **wrong))


def test_hexagons_are_told_from_paper_and_from_a_table() -> None:
    pixels = np.full((HEIGHT, WIDTH, 4), 245, np.uint8)
    assert not shows_map(pixels)
    area = pixels[MAP_AREA]
    area[::20, :] = 40
    assert not shows_map(pixels)
    for number in range(4):
        area[100 * number : 100 * number + 80, 50:200] = (60 * number, 90, 30, 0)
    assert shows_map(pixels)


def test_small_hexagons_that_streets_cut_into_pieces_are_a_map() -> None:
    pixels = np.full((HEIGHT, WIDTH, 4), 245, np.uint8)
    area = pixels[MAP_AREA]
    for number in range(4):
        area[100 * number : 100 * number + 30, 50:80] = (60 * number, 90, 30, 0)
    area[:, ::6] = 120
    assert shows_map(pixels)


def test_tabs_are_found_by_the_gaps_between_their_titles() -> None:
    pixels = np.full((HEIGHT, WIDTH, 4), 245, np.uint8)
    assert tab_titles(pixels) == []
    strip = pixels[TAB_STRIP]
    # one title of two words, and one of a single word
    for left, right in ((20, 50), (56, 80), (110, 131)):
        strip[8:18, left:right] = 40
    rows, columns = TAB_STRIP
    middle = (rows.start + rows.stop) // 2
    assert tab_titles(pixels) == [(columns.start + 49, middle), (columns.start + 120, middle)]


@pytest.mark.parametrize(
    ("lines", "distances", "table"), [(12, [26], True), (11, [26], False), (12, [26, 40], False)]
)
def test_a_table_has_many_lines_at_equal_distances(lines: int, distances: list[int], table: bool) -> None:
    pixels = np.full((HEIGHT, WIDTH, 4), 245, np.uint8)
    row = 40
    for number in range(lines):
        pixels[MAP_AREA][row + number % 2 : row + 9, 30:400:7] = 60
        row += distances[number % len(distances)]
    assert shows_table(pixels) is table
