"""Reading the screen of the smoke run."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from resources.installer.screen import HEIGHT, MAP_AREA, WIDTH, read_xwd, shows_map


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
